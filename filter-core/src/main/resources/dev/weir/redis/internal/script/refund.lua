-- Driver: refunds permits that were acquired from one or more counters of one slot.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits, the stamp of the acquisition, the limit's
-- numbers
--
-- Reply: how many counters changed. A refund has no effect on a counter that is gone, or full
-- again, or past its window.
--
-- Example: EVALSHA sha 1 shop:{c3ViamVjdA}w:daily '' f 1 65000000 1000 86400000000

local now, steps_back = clock()
local changes, i = 0, 2
for k = 1, #KEYS do
  local limit = limits[ARGV[i]]
  local text = read(limit, k)
  local permits, stamp = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local ttl, changed = refund(limit, text, now, permits, stamp, ARGV, i + 2, steps_back)
  if changed then
    write(limit, k, changed, ttl)
    changes = changes + 1
  end
  i = i + 3 + limit.numbers
end
return changes
