-- Driver: one decision over one counter that takes what is available, up to so many permits.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the limit's letter
-- ARGV[3]  permits, at least 1
-- ARGV[4]  onward: the limit's numbers
--
-- Reply: { fits, remaining, retry, reset, stamp, decided }. 'decided' is how many permits are
-- available, but no more than were requested and at least one. The others are the reply of one.lua
-- for so many. It is { -2, now } if the time is outside the bounds that were sent.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login '' b 100 1 12000000 1 5

local now, steps_back = clock()
local limit = limits[ARGV[2]]
local text = read(limit, 1)
local _, there = decide(limit, text, now, 0, ARGV, 3, steps_back)
local decided = math.max(1, math.min(tonumber(ARGV[3]), there))
local fits, remaining, retry, reset, stamp, ttl, changed =
  decide(limit, text, now, decided, ARGV, 3, steps_back)
if fits == -2 then
  return { -2, now }
end
if changed then
  write(limit, 1, changed, ttl)
elseif ends_early(redis.call('PTTL', KEYS[1]), reset) then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', lifetime(reset)))
end
return { fits, remaining, retry, reset, stamp, decided }
