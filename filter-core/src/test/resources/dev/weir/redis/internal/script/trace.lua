-- Test driver: a whole trace with given times, in one call, over counters that are kept here.
-- Sorted sets are kept in Redis. They are read and written as by every driver, and gone when the
-- trace is over.
--
-- ARGV is a list of steps, each beginning with its kind:
--
--   k  name: the steps that follow are of that counter, and not of '0'
--   l  limit's letter, the limit's numbers: the steps that follow are by that limit
--   d  time, steps_back (1 or 0), permits, patience: a decision
--   p  the same, and the promise of its reply is tested
--   g  time, steps_back, permits, stamp, permits acquired: a refund
--   r  time, steps_back, permits: a reward
--   o  time, steps_back, permits: a debit
--   n  time, steps_back, stamp: a renewal
--   b  time, steps_back, length: a block
--   f  time, steps_back: lifts a block
--   s  a foreign state, or '' for none, as after a loss; nodes hold nothing then
--   z  time, steps_back: a reset
--
-- and steps of nodes, each by its own time, which goes on evenly whatever the server's clock does:
--
--   c  node's time, node, keep: it is about to renew its lease, keeps so many permits at most and
--      reports how many it returns
--   e  time, steps_back, node, wanted: that call reaches the store, which settles and lends
--   a  node: it reads the reply
--   u  node's time, node, permits: it spends so many, or as many as it has
--   x  node: it dies, or is not notified of the outcome of its call
--
-- Reply: one string, a line for every d, p, g, r, o, n, b and f, with spaces between its fields. Of d
-- and p: fits, remaining, retry, reset, stamp, ttl. Of all others: ttl. Then '=' if the state is as
-- it was before, else the state as it is now. Then, of p, what `tried` returns. Of e: lent,
-- remaining, carried, reset, ends, ttl, state, then with commas between: length, and what was
-- settled: the lease's name, out, kept, back. Of u: how many were spent, and '='. Of c, a and x: 0
-- and '='.
--
-- Example: EVAL text 0 l b 1 1000000 1 5 d 5000000 1 1 0 replies '1 4 0 1000000 5000000 2000
-- 1000000:5000000:1000000'.

--include numbers
--include prelude with changes
--include keys
--include blocks with changes
--include limits with changes

local lines, i, states, key, limit, numbers = {}, 1, {}, '0', nil, 0

-- Returns the index of the present counter's sorted set.
local function place()
  local k = key + 1
  KEYS[k] = KEYS[k] or 'trace:' .. key
  return k
end

-- Returns the state of the present counter, as its limit reads it.
local function current()
  if sorted[limit] then
    return read(limit, place())
  end
  return states[key]
end

-- Returns a sorted set as text: the block, then 'held:ttl' and each acquisition as
-- ';id:permits:ends', in order.
local function shown(k)
  local all, block, ttl, holds, by_id = redis.call('ZRANGE', KEYS[k], 0, -1, 'WITHSCORES'), '', 0, {}, {}
  local held = 0
  for at = 1, #all, 2 do
    local id, score = match(all[at], '^(%d+)'), tonumber(all[at + 1])
    if byte(all[at]) == BLOCKED then
      block = all[at]
    elseif all[at] == 'ttl' then
      ttl = -score
    elseif by_id[id] then
      held, by_id[id].permits = held + 1, by_id[id].permits + 1
    else
      held, by_id[id] = held + 1, { id = id, permits = 1, ends = score }
      holds[#holds + 1] = by_id[id]
    end
  end
  if ttl == 0 then
    return block
  end
  local text = { format('%s%d:%d', block, held, ttl) }
  for _, hold in ipairs(holds) do
    text[#text + 1] = format('%s:%d:%d', hold.id, hold.permits, hold.ends)
  end
  return table.concat(text, ';')
end

-- Stores what a step has made of the present counter. Returns it as text, '=' if nothing changed.
local function keep(ttl, changed)
  if not changed then
    return '='
  end
  if sorted[limit] then
    local k = place()
    write(limit, k, changed, ttl)
    return shown(k)
  end
  states[key] = changed
  return changed
end

local function forget_sets()
  for k in pairs(KEYS) do
    redis.call('DEL', KEYS[k])
  end
end

local function fit(state, now, permits, patience, back)
  return (decide(limit, state, now, permits, ARGV, numbers, back, patience))
end

-- Returns what the limit would reply, as of the state that a decision has left. The requests are
-- for as many permits as remain, and for one more. Then for all that the limit ever allows, when it
-- should be full, and a microsecond before. Then for the same request after retry, and a
-- microsecond before. '-' means that there was no such request.
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

-- Replaces the state as a foreign client does.
local function overwrite(text)
  redis.call('DEL', KEYS[place()])
  if text then
    redis.call('SET', KEYS[place()], text)
  end
end

local function decision(now, back)
  local permits, patience = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
  local fits, remaining, retry, reset, stamp, ttl, changed =
    decide(limit, current(), now, permits, ARGV, numbers, back, patience)
  lines[#lines + 1] = string.format(
    '%d %d %d %d %d %d %s', fits, remaining, retry, reset, stamp, ttl, keep(ttl, changed))
  i = i + 5
  return permits, patience, fits, remaining, reset, retry
end

local function adjusted(used, ttl, changed)
  lines[#lines + 1] = string.format('%d %s', ttl, keep(ttl, changed))
  i = i + used
end

-- What a node holds of a counter: the name of its lease, the permits that the store believes to be
-- out, and those left. Also since when and until when, by the node's time.
local holdings = {}

local function holding(node)
  holdings[key] = holdings[key] or {}
  local held = holdings[key]
  held[node] = held[node] or { name = 0, out = 0, left = 0, since = 0, over = 0 }
  return held[node]
end

local function forget(node)
  holding(node)
  holdings[key][node] = nil
end

local function quiet(used, number)
  lines[#lines + 1] = string.format('%d =', number)
  i = i + used
end

local NO_LEASE = { ends = 0, out = 0, kept = 0, back = 0 }

local function reported_until(held)
  if limit == limits.b then
    return held.over
  end
  return math.max(held.over, held.since + ARGV[numbers + 2] / 2)
end

-- Does as a node does: it goes on spending the kept part until the lease is over, or the reply is
-- there.
local function cut(node, time, keep)
  if holding(node).requested then
    forget(node) -- it was not notified of the outcome of its last call
  end
  local held = holding(node)
  if held.over <= time then
    keep = 0
  end
  local kept = math.min(held.left, keep)
  held.settled = { ends = held.name, out = held.out, kept = kept, back = held.left - kept }
  if held.name == 0 or reported_until(held) <= time then
    held.settled = NO_LEASE
  end
  held.left, held.requested, held.answer = kept, time, nil
end

local function renewed(held, now, back, wanted)
  local settled = held.settled or NO_LEASE
  held.settled = nil
  local lent, remaining, reset, _, carried, ends, length, ttl, changed =
    renew_lease(limit, states[key], now, settled, wanted, ARGV, numbers, back)
  lines[#lines + 1] = string.format(
    '%d %d %d %d %d %d %s %d,%d,%d,%d,%d',
    lent, remaining, carried, reset, ends, ttl, changed or '=',
    length, settled.ends, settled.out, settled.kept, settled.back)
  held.answer = { lent = lent, carried = carried, ends = ends, length = length, kept = settled.kept }
  states[key] = changed or states[key]
  i = i + 5
end

local function replied(held)
  local answer = held.answer
  if not answer or not held.requested or answer.lent < 0 then
    return
  end
  if answer.carried == 0 then
    held.left, answer.kept = 0, 0
  end
  held.left, held.out = held.left + answer.lent, answer.kept + answer.lent
  held.name, held.since = answer.ends, held.requested
  held.over = held.requested + answer.length - math.floor(answer.length / 1000)
  held.answer, held.requested = nil, nil
end

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
    if sorted[limit] then
      overwrite(states[key])
    end
    holdings[key] = nil
    i = i + 2
  end,

  z = function(now, back)
    local text = states[key]
    states[key] = limit and limit.reset and state_after_reset(limit, text, now, back) or nil
    lines[#lines + 1] = '0 ' .. (states[key] or '-')
    i = i + 3
  end,

  c = function(time)
    cut(ARGV[i + 2], time, tonumber(ARGV[i + 3]))
    quiet(4, 0)
  end,

  e = function(now, back)
    renewed(holding(ARGV[i + 3]), now, back, tonumber(ARGV[i + 4]))
  end,

  a = function()
    replied(holding(ARGV[i + 1]))
    quiet(2, 0)
  end,

  u = function(time)
    local held, spent = holding(ARGV[i + 2]), 0
    if time < held.over then
      spent = math.min(held.left, tonumber(ARGV[i + 3]))
    end
    held.left = held.left - spent
    quiet(4, spent)
  end,

  x = function()
    forget(ARGV[i + 1])
    quiet(2, 0)
  end,

  d = function(now, back)
    decision(now, back)
  end,

  p = function(now, back)
    local permits, patience, fits, remaining, reset, retry = decision(now, back)
    local wait = fits == 0 and retry or 0
    lines[#lines] = lines[#lines]
      .. ' '
      .. tried(current(), now, permits, patience, back, remaining, reset, wait)
  end,

  g = function(now, back)
    local permits, stamp, granted = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5])
    local state = current()
    adjusted(
      6, unblocked(limit.refund, state, now, back, permits, stamp, ARGV, numbers, back, granted))
  end,

  r = function(now, back)
    local permits = tonumber(ARGV[i + 3])
    adjusted(4, unblocked(limit.reward, current(), now, back, permits, ARGV, numbers, back))
  end,

  o = function(now, back)
    local permits = tonumber(ARGV[i + 3])
    adjusted(4, unblocked(limit.debit, current(), now, back, permits, ARGV, numbers, back))
  end,

  n = function(now, back)
    local stamp = tonumber(ARGV[i + 3])
    adjusted(4, unblocked(limit.renew, current(), now, back, stamp, ARGV, numbers, back))
  end,

  b = function(now, back)
    adjusted(4, block(current(), now, tonumber(ARGV[i + 3]), back))
  end,

  f = function(now, back)
    adjusted(3, lift_block(limit, current(), now, ARGV, numbers, back))
  end,
}

while i <= #ARGV do
  kinds[ARGV[i]](tonumber(ARGV[i + 1]), ARGV[i + 2] == '1')
end
forget_sets()
return table.concat(lines, '\n')
