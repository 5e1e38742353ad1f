-- Driver: reconciles the permits acquired from one or more counters of one slot with those spent.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits acquired, permits spent, the stamp of the
-- acquisition, the limit's numbers
--
-- Reply: how many counters changed. It is { -2, now }, and nothing is written, if the time is
-- outside the bounds that were sent. Unspent permits are refunded as in refund.lua. Permits spent
-- beyond the acquisition become debt, and delay later requests.
--
-- Example: EVALSHA sha 1 shop:{c3ViamVjdA}b:rows '' b 1 250 0 1 10000 1 100

local now, steps_back = clock()
local kinds, found, i = {}, {}, 2
for k = 1, #KEYS do
  local limit = limits[ARGV[i]]
  kinds[k] = limit
  local text = read(limit, k)
  local granted, stamp = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 3])
  local unspent = granted - tonumber(ARGV[i + 2])
  if unspent > 0 then
    found[k] = { refund(limit, text, now, unspent, stamp, ARGV, i + 3, steps_back, granted) }
  elseif unspent < 0 then
    found[k] = { debit(limit, text, now, -unspent, ARGV, i + 3, steps_back) }
  else
    found[k] = { 0, nil }
  end
  if found[k][1] == -2 then
    return { -2, now }
  end
  i = i + 4 + limit.numbers
end

local changes = 0
for k = 1, #KEYS do
  if found[k][2] then
    write(kinds[k], k, found[k][2], found[k][1])
    changes = changes + 1
  end
end
return changes
