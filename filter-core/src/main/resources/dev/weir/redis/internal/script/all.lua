-- Driver: one decision over several counters of one slot. All of them are charged, or none.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits, the limit's numbers
--
-- Reply: { fits, remaining, retry, reset, stamp } of each counter, in order. It is { -2, now } if
-- the time is outside the bounds that were sent for any counter. If one counter denies, the others
-- are evaluated without taking. They then return their uncharged state.
--
-- Example: EVALSHA sha 2 shop:{c3ViamVjdA}b:api shop:{c3ViamVjdA}w:daily '' b 1 1 50000 1 40 f 1
-- 1000 86400000000

local now, steps_back = clock()
local texts, found, all_fit = {}, {}, true
local i = 2
for k = 1, #KEYS do
  local limit = limits[ARGV[i]]
  texts[k] = read(limit, k) or false
  found[k] = { decide(limit, texts[k], now, tonumber(ARGV[i + 1]), ARGV, i + 1, steps_back) }
  if found[k][1] == -2 then
    return { -2, now }
  end
  all_fit = all_fit and found[k][1] == 1
  i = i + 2 + limit.numbers
end

i = 2
local reply = {}
for k = 1, #KEYS do
  local limit = limits[ARGV[i]]
  if found[k][1] == 1 and not all_fit then
    found[k] = { decide(limit, texts[k], now, 0, ARGV, i + 1, steps_back) }
  end
  if found[k][7] then
    write(limit, k, found[k][7], found[k][6])
  elseif ends_early(redis.call('PTTL', KEYS[k]), found[k][4]) then
    redis.call('PEXPIRE', KEYS[k], string.format('%.0f', lifetime(found[k][4])))
  end
  for field = 1, 5 do
    reply[#reply + 1] = found[k][field]
  end
  i = i + 2 + limit.numbers
end
return reply
