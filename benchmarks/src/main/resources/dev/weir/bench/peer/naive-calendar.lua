-- A window of the calendar, as one writes it in an afternoon: one key that ends with the window by
-- the server's clock, and a denial changes nothing. Lua has no calendar, so the client states when
-- two windows end. The server's clock may be in the second one already.
--
-- KEYS[1]  the window
-- ARGV     quota; the ends of this window and of the next, in milliseconds; permits
-- Reply as of naive-gcra.lua

local quota, permits = 0 + ARGV[1], 0 + ARGV[4]
local used = 0 + (redis.call('GET', KEYS[1]) or 0)
if used + permits > quota then
  local left = math.max(0, redis.call('PTTL', KEYS[1]) * 1000)
  return { 0, quota - used, left, left }
end
redis.call('INCRBY', KEYS[1], permits)
if used == 0 then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  redis.call('PEXPIREAT', KEYS[1], now < 0 + ARGV[2] and ARGV[2] or ARGV[3])
end
return { 1, quota - used - permits, 0, redis.call('PTTL', KEYS[1]) * 1000 }
