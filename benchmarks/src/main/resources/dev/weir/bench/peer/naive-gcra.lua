-- A token bucket as one writes it in an afternoon, with the promise that ours has: exact, by the
-- server's clock, one key with a TTL, and a denial changes nothing. It stores one number, the time
-- at which the bucket is full (GCRA). That is exact where a permit returns in whole microseconds.
--
-- KEYS[1]  when the bucket is full, in microseconds
-- ARGV     microseconds in which a permit returns; burst; permits
-- Reply: { whether it is allowed, remaining, retry-after and reset-after in microseconds }

local interval, burst, permits = 0 + ARGV[1], 0 + ARGV[2], 0 + ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = 0 + (redis.call('GET', KEYS[1]) or 0)
if full < now then
  full = now
end
local reset = full - now + permits * interval
local room = burst * interval - reset
if room < 0 then
  local remaining = math.floor((burst * interval - full + now) / interval)
  return { 0, remaining, -room, full - now }
end
-- Redis writes out a number's 17 digits
redis.call('SET', KEYS[1], now + reset, 'PX', math.ceil(reset / 1000) + 1000)
return { 1, math.floor(room / interval), 0, reset }
