-- Driver: starts the ttl of permits anew, in one or more counters of one slot.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits, the stamp of the acquisition, the limit's
-- numbers
--
-- Reply: how many of these acquisitions had not ended.
--
-- Example: EVALSHA sha 1 shop:{c3ViamVjdA}h:uploads '' h 1 7105 4 30000000 7105

local now, steps_back = clock()
local renewed, i = 0, 2
for k = 1, #KEYS do
  local limit = limits[ARGV[i]]
  local text = read(limit, k)
  local ttl, changed = renew(limit, text, now, tonumber(ARGV[i + 2]), ARGV, i + 2, steps_back)
  if changed then
    write(limit, k, changed, ttl)
    renewed = renewed + 1
  end
  i = i + 3 + limit.numbers
end
return renewed
