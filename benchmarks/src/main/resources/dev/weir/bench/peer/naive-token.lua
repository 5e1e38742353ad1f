-- A token bucket as of naive-gcra.lua, for rates at which a permit does not return in whole
-- microseconds. To be exact, it stores two numbers.
--
-- KEYS[1]  the units that are missing in the bucket, and when
-- ARGV     p, q: a permit is q units, of which p return each microsecond; burst; permits
-- Reply as of naive-gcra.lua

local p, q, burst, permits = 0 + ARGV[1], 0 + ARGV[2], 0 + ARGV[3], 0 + ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local debt, at = 0, now
local state = redis.call('GET', KEYS[1])
if state then
  debt, at = struct.unpack('>dd', state)
  if now > at then
    debt, at = math.max(0, debt - (now - at) * p), now
  end
end
local full, wanted = burst * q, debt + permits * q
if wanted > full then
  return { 0, math.floor((full - debt) / q), math.ceil((wanted - full) / p), math.ceil(debt / p) }
end
local reset = math.ceil(wanted / p)
redis.call('SET', KEYS[1], struct.pack('>dd', wanted, at), 'PX', math.ceil(reset / 1000) + 1000)
return { 1, math.floor((full - wanted) / q), 0, reset }
