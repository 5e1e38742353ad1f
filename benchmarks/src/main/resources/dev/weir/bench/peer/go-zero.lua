-- The algorithm of go-zero's TokenLimiter, written anew: two keys, whole seconds of the caller's
-- clock, both written whatever the answer.
--
-- KEYS[1]  the tokens    KEYS[2]  when they were counted
-- ARGV     rate per second, burst, now in seconds, permits
-- Reply: 1 when it is allowed, else 0

local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local now, permits = tonumber(ARGV[3]), tonumber(ARGV[4])
local ttl = math.floor(burst / rate * 2)
local tokens = tonumber(redis.call('GET', KEYS[1])) or burst
local counted = tonumber(redis.call('GET', KEYS[2])) or 0
local filled = math.min(burst, tokens + math.max(0, now - counted) * rate)
local allowed = filled >= permits
if allowed then
  filled = filled - permits
end
redis.call('SETEX', KEYS[1], ttl, string.format('%.0f', filled))
redis.call('SETEX', KEYS[2], ttl, ARGV[3])
return allowed and 1 or 0
