-- Driver: the state of one or more counters of one slot, and what they would reply.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits, the limit's numbers
--
-- Reply: as in all.lua. A counter that would allow the request replies 1 and its uncharged state.
-- Nothing is charged or written.
--
-- Example: EVALSHA sha 1 shop:{c3ViamVjdA}w:daily '' f 1 1000 86400000000

local now, steps_back = clock()
local reply, i = {}, 2
for k = 1, #KEYS do
  local limit = limits[ARGV[i]]
  local text = read(limit, k)
  local found = { decide(limit, text, now, tonumber(ARGV[i + 1]), ARGV, i + 1, steps_back) }
  if found[1] == 1 then
    found = { decide(limit, text, now, 0, ARGV, i + 1, steps_back) }
  end
  if found[1] == -2 then
    return { -2, now }
  end
  for field = 1, 5 do
    reply[#reply + 1] = found[field]
  end
  i = i + 2 + limit.numbers
end
return reply
