-- A leaky bucket by the time at which it is empty (GCRA), as one writes it in an afternoon: by the
-- server's clock, one key with a TTL, and a denial changes nothing. As Weir's for a request that
-- cannot wait, it lets in one only while the bucket is empty.
--
-- KEYS[1]  the time at which the bucket is empty, in microseconds
-- ARGV     microseconds in which a permit leaks, rounded up; capacity; permits
-- Reply as of naive-gcra.lua

local permits = 0 + ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local empty = 0 + (redis.call('GET', KEYS[1]) or 0)
if empty > now or permits > 0 + ARGV[2] then
  local wait = math.max(0, empty - now)
  return { 0, 0, wait, wait }
end
local reset = permits * ARGV[1]
redis.call('SET', KEYS[1], now + reset, 'PX', math.ceil(reset / 1000) + 1000)
return { 1, 0, 0, reset }
