-- Driver: one decision over one counter, for a request that can wait.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the limit's letter
-- ARGV[3]  permits, at least 1
-- ARGV[4]  for how many microseconds it can wait
-- ARGV[5]  onward: the limit's numbers
--
-- Reply: { fits, remaining, retry, reset, stamp } as in one.lua. If it fits, 'retry' is how long to
-- wait before the permits may be used.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login '' b 1 2000000 1 12000000 1 5

local now, steps_back = clock()
local limit = limits[ARGV[2]]
local fits, remaining, retry, reset, stamp, ttl, changed =
  decide(limit, read(limit, 1), now, tonumber(ARGV[3]), ARGV, 4, steps_back, tonumber(ARGV[4]))
if fits == -2 then
  return { -2, now }
end
if changed then
  write(limit, 1, changed, ttl)
elseif ends_early(redis.call('PTTL', KEYS[1]), reset) then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', lifetime(reset)))
end
return { fits, remaining, retry, reset, stamp }
