-- Driver: returns permits to one counter, whichever request took them.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the limit's letter
-- ARGV[3]  permits, at least 1
-- ARGV[4]  onward: the limit's numbers
--
-- Reply: 1, or 0 if nothing was consumed that still counts.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login '' b 3 1 12000000 1 5

local now, steps_back = clock()
local limit = limits[ARGV[2]]
local ttl, changed =
  reward(limit, read(limit, 1), now, tonumber(ARGV[3]), ARGV, 3, steps_back)
if not changed then
  return 0
end
write(limit, 1, changed, ttl)
return 1
