-- A leaky bucket by the time at which it is empty (GCRA), as one writes it in an afternoon: by the
-- server's clock, one key with a TTL, and a denial changes nothing. As Weir's for a request that
-- cannot wait, it lets in one only while the bucket is empty.
--
-- KEYS[1]  the time at which the bucket is empty, in microseconds
-- ARGV     microseconds in which a permit leaks, rounded up; capacity; permits
-- Reply as of naive-token.lua

local interval, capacity, permits = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local empty = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
if empty > now or permits > capacity then
  return { 0, 0, empty - now, empty - now }
end
local after = now + permits * interval
redis.call(
  'SET', KEYS[1], string.format('%.0f', after),
  'PX', string.format('%.0f', math.ceil((after - now) / 1000) + 1000))
return { 1, 0, 0, after - now }
