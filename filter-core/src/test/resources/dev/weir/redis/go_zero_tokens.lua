-- A token bucket in the manner of go-zero's tokenlimit, written anew from a description of it, to
-- show its defects: whole seconds, the caller's clock, a time to live that can be 0, writes on
-- denial, a boolean for an answer.
--
-- KEYS: tokens, time of the last refill. ARGV: rate, burst, the caller's second, permits.

local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local now, requested = tonumber(ARGV[3]), tonumber(ARGV[4])
local ttl = math.floor(capacity / rate * 2)

local tokens = tonumber(redis.call('GET', KEYS[1])) or capacity
local refreshed = tonumber(redis.call('GET', KEYS[2])) or 0
local delta = math.max(0, now - refreshed)
local filled = math.min(capacity, tokens + delta * rate)

local allowed = filled >= requested
if allowed then
  filled = filled - requested
end
redis.call('SETEX', KEYS[1], ttl, filled)
redis.call('SETEX', KEYS[2], ttl, now)
return allowed
