-- Driver: one decision over one counter.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the limit's letter
-- ARGV[3]  permits, at least 1
-- ARGV[4]  onward: the limit's numbers
--
-- Reply: { fits, remaining, retry, reset, stamp }, or { -2, now } if the time is outside the bounds
-- that were sent. Every call has KEYS[1] literally, since some proxies require it.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login '' b 1 1 12000000 1 5

local now, steps_back = clock()
local limit = limits[ARGV[2]]
local fits, remaining, retry, reset, stamp, ttl, changed =
  decide(limit, read(limit, 1), now, tonumber(ARGV[3]), ARGV, 3, steps_back)
if fits == -2 then
  return { -2, now }
end
if changed then
  write(limit, 1, changed, ttl)
elseif ends_early(redis.call('PTTL', KEYS[1]), reset) then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', lifetime(reset)))
end
return { fits, remaining, retry, reset, stamp }
