-- Driver: one request over one or more counters of one slot. All of them are charged, or none.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits, the limit's numbers.
--          0 permits require only that the counter is not blocked
-- then nothing if the request takes exactly these permits and does not wait. Otherwise its mode,
-- which is the last argument:
--
--   peek            takes nothing, and writes nothing. A counter that would allow the request
--                   replies 1 and its uncharged state
--   up_to           takes what is available of the only counter, up to the permits
--   micros, within  for a request over one counter that can wait for so long
--   micros, or_block
--                   takes the permits of the only counter if more remain after that. Otherwise it
--                   forgets what was taken, and blocks the counter for so long. A blocked counter
--                   does not change. The limit keeps a string, and lends nothing
--
-- Reply: { fits, remaining, retry, reset, stamp } of each counter, in order. It is { -2, now } if
-- the time is outside the bounds that were sent for any counter. If one counter denies, the others
-- are evaluated without taking. They then return their uncharged state. In the mode up_to, a sixth
-- number is how many permits were requested in the end: those available, and at least one. In the
-- mode within, 'retry' is how long to wait before the permits may be used. Of a blocked counter the
-- stamp is minus the rest of the block; see blocks.lua.
--
-- A script of one counter has KEYS[1] literally in every call, since some proxies require it.
--
-- Example: EVALSHA sha 2 shop:{c3ViamVjdA}b:api shop:{c3ViamVjdA}w:daily '' b 1 1 50000 1 40 f 1
-- 1000 86400000000

--include numbers
--include clock

-- Most requests are exact, and over one counter as most find it. A block for each kind that keeps a
-- string decides these. If it leaves `fits` nil, it has changed nothing, and the limit in full
-- decides. ARGV has the permits in 3, then the limit's numbers, and no mode.
local kind = ARGV[2]
if (kind == 'b' or kind == 'l') and ARGV[6] == '1' and not ARGV[8]
  or kind == 'f' and not ARGV[6]
  or kind == 's' and not ARGV[7]
  or kind == 'c' and not ARGV[10]
then
  local state = redis.pcall('GET', KEYS[1])
  if type(state) ~= 'table' then
    local permits = ARGV[3] + 0
    local fits, remaining, retry, reset, stamp, changed
    if kind == 's' then
      local quota, width, k = ARGV[4] + 0, ARGV[5] + 0, ARGV[6] + 0
      --include plain_sliding
    elseif kind == 'f' or kind == 'c' then
      local quota, longest, ends = ARGV[4] + 0, ARGV[5] + 0, nil
      if kind == 'f' then
        ends = now + longest
      end
      --include plain_window
      stamp = ends
    else
      local p, q, burst = ARGV[4] + 0, ARGV[5] + 0, ARGV[7] + 0
      if kind == 'b' then
        --include plain_bucket
      else
        --include plain_leaky
      end
      stamp = fits == 1 and now or 0
    end
    if changed then
      redis.call('SET', KEYS[1], changed, 'PX', format(WHOLE, math.ceil(reset / 1000) + 1000))
    elseif fits and reset > 0 and redis.call('PTTL', KEYS[1]) * 1000 < reset then
      redis.call('PEXPIRE', KEYS[1], format(WHOLE, math.ceil(reset / 1000) + 1000))
    end
    if fits then
      return { fits, remaining, retry, reset, stamp }
    end
  end
  if kind == 'b' then
    ARGV[2] = 'B' -- bucket.lua decides it
  end
end

-- keys has read and keep, blocks has decide, and limits has the limit of each letter.
--include prelude
--include keys
--include blocks
--include limits

local mode, patience = ARGV[#ARGV], 0
if mode == 'within' then
  patience = ARGV[#ARGV - 1] + 0
end

if mode == 'or_block' then
  local limit, length = limits[ARGV[2]], ARGV[#ARGV - 1] + 0
  local state = read(limit, 1)
  local _, blocked = block_off(state, now, steps_back)
  local fits, remaining, retry, reset, stamp, ttl, changed =
    decide(limit, state, now, ARGV[3] + 0, ARGV, 3, steps_back)
  if blocked == 0 and (fits ~= 1 or remaining == 0) then
    fits, remaining, retry, reset, stamp = 0, 0, length, length, -length
    ttl, changed = block_on(0, '', now + length, length, now)
  end
  keep(limit, 1, changed, ttl, reset)
  return { fits, remaining, retry, reset, stamp }
end

-- Of each counter: its limit, its stored state, and what the limit decides.
local kinds, states, found = {}, {}, {}
local fits, requested, i = mode ~= 'peek', 0, 2
for k = 1, #KEYS do
  local limit, permits = limits[ARGV[i]], ARGV[i + 1] + 0
  local state = read(limit, k)
  if mode == 'up_to' then
    local _, available = decide(limit, state, now, 0, ARGV, i + 1, steps_back)
    requested = math.max(1, math.min(permits, available))
    permits = requested
  end
  kinds[k], states[k] = limit, state
  found[k] = { decide(limit, state, now, permits, ARGV, i + 1, steps_back, patience) }
  if found[k][1] == -2 then
    return { -2, now }
  end
  fits = fits and found[k][1] == 1
  i = i + 2 + limit.numbers
end

i = 2
local reply = { 0, 0, 0, 0, 0 }
for k = 1, #KEYS do
  local limit, one = kinds[k], found[k]
  if one[1] == 1 and not fits then
    one = { decide(limit, states[k], now, 0, ARGV, i + 1, steps_back) }
    found[k] = one
  end
  if mode ~= 'peek' then
    local is_kept, refused = pcall(keep, limit, k, one[7], one[6], one[4])
    if not is_kept then
      -- a right is missing that only this kind of limit needs
      for other = k - 1, 1, -1 do
        if found[other][7] then
          take_back(kinds[other], other, states[other], found[other][7], found[other][6])
        end
      end
      error(refused, 0)
    end
  end
  local at = 5 * k - 5
  reply[at + 1], reply[at + 2], reply[at + 3] = one[1], one[2], one[3]
  reply[at + 4], reply[at + 5] = one[4], one[5]
  i = i + 2 + limit.numbers
end
if mode == 'up_to' then
  reply[6] = requested
end
return reply
