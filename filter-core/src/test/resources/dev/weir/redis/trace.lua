-- Test driver: a whole trace with given times, in one call, over one counter that is kept here.
--
-- ARGV is a list of steps, each beginning with its kind:
--
--   d  time, steps_back (1 or 0), limit's letter, permits, patience, the limit's numbers: a decision
--   g  time, steps_back, limit's letter, permits, stamp, the limit's numbers: a give-back
--   r  time, steps_back, limit's letter, permits, the limit's numbers: a reward
--   o  time, steps_back, limit's letter, permits, the limit's numbers: what is owed
--   n  time, steps_back, limit's letter, permits, stamp, the limit's numbers: a renewal
--   b  time, steps_back, length: a block
--   s  a state that somebody else has written, or '' for none, as after a reset
--
-- Reply, for every d: fits, remaining, retry, reset, stamp, ttl, state; for every g, r, o, n and b: ttl,
-- state. All of them are strings, the state as it is after the step, '' for none.
--
-- Example: EVAL text 0 d 5000000 1 b 1 0 1 1000000 1 5 s '' answers 1 4 1000000 1000000 0 2000 and
-- '1000000:5000000:1000000'.

local state, reply, i = nil, {}, 1

local function add(value)
  if type(value) == 'number' then
    value = string.format('%.0f', value)
  end
  reply[#reply + 1] = value or ''
end

-- Each returns what to store and how many of ARGV were its own.
local kinds = {
  s = function()
    state = nil
    if ARGV[i + 1] ~= '' then
      state = ARGV[i + 1]
    end
    return nil, 2
  end,

  d = function(now, back)
    local limit = limits[ARGV[i + 3]]
    local permits, patience = tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5])
    local found = { decide(limit, state, now, permits, ARGV, i + 5, back, patience) }
    for field = 1, 6 do
      add(found[field])
    end
    return found[7], 6 + limit.numbers
  end,

  g = function(now, back)
    local limit, permits, stamp = limits[ARGV[i + 3]], tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5])
    local ttl, changed = give_back(limit, state, now, permits, stamp, ARGV, i + 5, back)
    add(ttl)
    return changed, 6 + limit.numbers
  end,

  r = function(now, back)
    local limit = limits[ARGV[i + 3]]
    local ttl, changed = reward(limit, state, now, tonumber(ARGV[i + 4]), ARGV, i + 4, back)
    add(ttl)
    return changed, 5 + limit.numbers
  end,

  o = function(now, back)
    local limit = limits[ARGV[i + 3]]
    local ttl, changed = owe(limit, state, now, tonumber(ARGV[i + 4]), ARGV, i + 4, back)
    add(ttl)
    return changed, 5 + limit.numbers
  end,

  n = function(now, back)
    local limit, stamp = limits[ARGV[i + 3]], tonumber(ARGV[i + 5])
    local ttl, changed = renew(limit, state, now, stamp, ARGV, i + 5, back)
    add(ttl)
    return changed, 6 + limit.numbers
  end,

  b = function(now, back)
    local ttl, changed = block(state, now, tonumber(ARGV[i + 3]), back)
    add(ttl)
    return changed, 4
  end,
}

while i <= #ARGV do
  local kind = ARGV[i]
  local changed, used = kinds[kind](tonumber(ARGV[i + 1]), ARGV[i + 2] == '1')
  state = changed or state
  if kind ~= 's' then
    add(state)
  end
  i = i + used
end
return reply
