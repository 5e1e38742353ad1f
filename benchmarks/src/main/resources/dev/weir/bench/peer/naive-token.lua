-- A token bucket as one writes it in an afternoon, with the promise that ours has: exact, by the
-- server's clock, one key with a TTL, and a denial changes nothing.
--
-- KEYS[1]  the bucket
-- ARGV     p, q: a permit is q units, of which p return each microsecond; burst; permits
-- Reply: { whether it is allowed, remaining, retry-after and reset-after in microseconds }

local p, q = tonumber(ARGV[1]), tonumber(ARGV[2])
local burst, permits = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local debt, at = 0, now
local state = redis.call('GET', KEYS[1])
if state then
  local colon = string.find(state, ':', 1, true)
  debt, at = tonumber(string.sub(state, 1, colon - 1)), tonumber(string.sub(state, colon + 1))
  if now > at then
    debt, at = math.max(0, debt - (now - at) * p), now
  end
end
local full, wanted = burst * q, debt + permits * q
if wanted > full then
  return { 0, math.floor((full - debt) / q), math.ceil((wanted - full) / p), math.ceil(debt / p) }
end
local reset = math.ceil(wanted / p)
redis.call(
  'SET', KEYS[1], string.format('%.0f:%.0f', wanted, at),
  'PX', string.format('%.0f', math.ceil(reset / 1000) + 1000))
return { 1, math.floor((full - wanted) / q), 0, reset }
