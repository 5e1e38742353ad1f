-- Test driver: a whole trace with given times, in one call, over counters that are kept here.
--
-- ARGV is a list of steps, each beginning with its kind:
--
--   k  name: the steps that follow are of that counter, and not of '0'
--   l  limit's letter, the limit's numbers: the steps that follow are by that limit
--   d  time, steps_back (1 or 0), permits, patience: a decision
--   p  the same, and what is promised of its answer is tried out
--   g  time, steps_back, permits, stamp, permits granted: a give-back
--   r  time, steps_back, permits: a reward
--   o  time, steps_back, permits: what is owed
--   n  time, steps_back, stamp: a renewal
--   b  time, steps_back, length: a block
--   s  a state that somebody else has written, or '' for none, as after a reset
--
-- Reply: one string, a line for every d, p, g, r, o, n and b, with spaces between its fields: of d and
-- p: fits, remaining, retry, reset, stamp, ttl; of all others: ttl; then '=' where the state is as it
-- was before, else the state as it is now; then, of p, what `tried` returns.
--
-- Example: EVAL text 0 l b 1 1000000 1 5 d 5000000 1 1 0 answers
-- '1 4 0 1000000 5000000 2000 1000000:5000000:1000000'.

local lines, i, states, key, limit, numbers = {}, 1, {}, '0', nil, 0

local function fit(state, now, permits, patience, back)
  return (decide(limit, state, now, permits, ARGV, numbers, back, patience))
end

-- What would be answered, as of the state that a decision has left: to as many permits as it says
-- remain, and to one more; to all that the limit ever grants once it is said to be as good as new, and
-- a microsecond before; to the same request after retry, and a microsecond before. '-' is not asked.
local function tried(state, now, permits, patience, back, remaining, reset, retry)
  local patient = 0
  if limit == limits.l then
    patient = patience
  end
  local capacity = tonumber(ARGV[numbers + (limit.numbers == 4 and 4 or 1)])
  local found = { '-', '-', '-', '-', '-', '-' }
  if remaining > 0 then
    found[1] = fit(state, now, remaining, patient, back)
  end
  if remaining < capacity then
    found[2] = fit(state, now, remaining + 1, patient, back)
  end
  if reset < FAR / 2 then
    found[3] = fit(state, now + reset, capacity, 0, false)
  end
  if reset > 0 and reset < FAR / 2 then
    found[4] = fit(state, now + reset - 1, capacity, 0, false)
  end
  if retry > 0 and retry < FAR / 2 then
    found[5] = fit(state, now + retry, permits, patience, false)
    found[6] = fit(state, now + retry - 1, permits, patience, false)
  end
  return table.concat(found, ',')
end

local function decision(now, back)
  local permits, patience = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
  local fits, remaining, retry, reset, stamp, ttl, changed =
    decide(limit, states[key], now, permits, ARGV, numbers, back, patience)
  lines[#lines + 1] = string.format(
    '%d %d %d %d %d %d %s', fits, remaining, retry, reset, stamp, ttl, changed or '=')
  i = i + 5
  return changed, permits, patience, fits, remaining, reset, retry
end

local function amended(used, ttl, changed)
  lines[#lines + 1] = string.format('%d %s', ttl, changed or '=')
  i = i + used
  return changed
end

-- Each returns what to store.
local kinds = {
  k = function()
    key = ARGV[i + 1]
    i = i + 2
  end,

  l = function()
    limit, numbers = limits[ARGV[i + 1]], i + 1
    i = i + 2 + limit.numbers
  end,

  s = function()
    states[key] = ARGV[i + 1] ~= '' and ARGV[i + 1] or nil
    i = i + 2
  end,

  d = function(now, back)
    return (decision(now, back))
  end,

  p = function(now, back)
    local changed, permits, patience, fits, remaining, reset, retry = decision(now, back)
    local state = changed or states[key]
    local wait = fits == 0 and retry or 0
    lines[#lines] = lines[#lines]
      .. ' '
      .. tried(state, now, permits, patience, back, remaining, reset, wait)
    return changed
  end,

  g = function(now, back)
    local permits, stamp, granted = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5])
    local state = states[key]
    return amended(6, give_back(limit, state, now, permits, stamp, ARGV, numbers, back, granted))
  end,

  r = function(now, back)
    local permits = tonumber(ARGV[i + 3])
    return amended(4, reward(limit, states[key], now, permits, ARGV, numbers, back))
  end,

  o = function(now, back)
    local permits = tonumber(ARGV[i + 3])
    return amended(4, owe(limit, states[key], now, permits, ARGV, numbers, back))
  end,

  n = function(now, back)
    local stamp = tonumber(ARGV[i + 3])
    return amended(4, renew(limit, states[key], now, stamp, ARGV, numbers, back))
  end,

  b = function(now, back)
    return amended(4, block(states[key], now, tonumber(ARGV[i + 3]), back))
  end,
}

while i <= #ARGV do
  local changed = kinds[ARGV[i]](tonumber(ARGV[i + 1]), ARGV[i + 2] == '1')
  if changed then
    states[key] = changed
  end
end
return table.concat(lines, '\n')
