-- A sliding window by two counters, as one writes it in an afternoon: the window before counts by
-- the part of it that is still in sight. By the server's clock, one key with a TTL, and a denial
-- changes nothing.
--
-- KEYS[1]  the number of the newest window, its permits, and those of the window before
-- ARGV     quota; the window's length in microseconds; permits
-- Reply as of naive-gcra.lua

local quota, length, permits = 0 + ARGV[1], 0 + ARGV[2], 0 + ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local number = math.floor(now / length)
local current, previous = 0, 0
local state = redis.call('GET', KEYS[1])
if state then
  local newest, its, before = struct.unpack('>ddd', state)
  if newest >= number then -- later only if the clock has moved back
    current, previous = its, before
  elseif newest == number - 1 then
    previous = its
  end
end
local left = (number + 1) * length - now
local used = current + previous * left / length
if used + permits > quota then
  local retry = math.ceil(left - (quota - permits - current) * length / previous)
  if current + permits > quota then -- it fits in the next window, where these count by their part
    retry = math.ceil(left + length - (quota - permits) * length / current)
  end
  return { 0, math.max(0, math.floor(quota - used)), retry, left + length }
end
redis.call(
  'SET', KEYS[1], struct.pack('>ddd', number, current + permits, previous),
  'PX', math.ceil((left + length) / 1000) + 1000)
return { 1, math.floor(quota - used - permits), 0, left + length }
