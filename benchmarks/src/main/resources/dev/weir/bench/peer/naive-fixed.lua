-- A fixed window that begins with its first request, as one writes it in an afternoon: one key with
-- a TTL, and a denial changes nothing.
--
-- KEYS[1]  the window
-- ARGV     quota; the window's length in microseconds; permits
-- Reply as of naive-gcra.lua

local quota, permits = 0 + ARGV[1], 0 + ARGV[3]
local used = 0 + (redis.call('GET', KEYS[1]) or 0)
if used + permits > quota then
  local left = math.max(0, redis.call('PTTL', KEYS[1]) * 1000)
  return { 0, quota - used, left, left }
end
redis.call('INCRBY', KEYS[1], permits)
if used == 0 then
  redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] / 1000))
end
return { 1, quota - used - permits, 0, redis.call('PTTL', KEYS[1]) * 1000 }
