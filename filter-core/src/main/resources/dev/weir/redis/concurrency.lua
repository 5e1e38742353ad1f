-- The concurrency limit.
--
-- Model. At most N permits are held at once. Who is granted some has a hold: an id that the caller has
-- drawn and nobody else has, so many permits, and the time at which its lease ends. A hold goes when it
-- is released, or by itself at that time; until then its holder may renew it. What has gone is gone:
-- to release it once more, or late, finds no such id and frees nobody else's permits.
--
-- State. 'held:lease;id:permits:ends;id:permits:ends...': how many permits are held, the longest lease
-- of the holds since there was none, and the holds in the order in which they end, all in microseconds.
-- All of them are looked at as text, to see that it is ours, and are taken apart only where one is
-- put before another or a wait is told: those that have ended stand first, the last one tells when all
-- will have, and one of an id is found by a search.
--
-- Clock. Time that moves back makes holds longer by as much. When the last of them is more than two
-- leases away, the clock has jumped by more than one: then no hold lasts longer than a lease from now.
-- None ends early by that, for whoever holds it has renewed it before now; and nobody is locked out for
-- the length of the jump. This alone is stored by a denial too.
--
-- Reward. Nothing is consumed, so nothing is given back: the permits are with their holders.
--
-- ARGV. N, lease in microseconds, the id that a hold gets.
--
-- Example. N = 2, lease 30000000. State nil, now 5000000, one permit, id 71: fits, remaining 1, reset
-- 30000000, stamp 71, state '1:30000000;71:1:35000000'. At 6000000 one more, id 72: remaining 0. At
-- 7000000 a third: denied, retry 28000000, nothing stored. At 8000000 a renewal of 71: state
-- '2:30000000;72:1:36000000;71:1:38000000'. At 36000000 the third fits.

local HOLD = ';%d+:(%d+):(%d+)'

-- More digits than any number of ours has.
local HOLD_DIGITS = string.rep('%d', 17)

local function holds_last_end(holds)
  return tonumber(string.match(holds, '^.*:(%d+)$'))
end

-- Those that have not ended, the permits they hold, and the longest lease. No hold is '', 0, 0; and so
-- is what nobody here has written.
local function holds_read(state, now)
  local held, lease, holds = string.match(state or '', '^(%d+):(%d+)(;.+)$')
  held, lease = whole(held), whole(lease)
  if not (held and lease) or string.find(holds, HOLD_DIGITS) or string.gsub(holds, HOLD, '') ~= '' then
    return '', 0, 0
  end
  local from = 1
  while from <= #holds do
    local permits, ends, after = string.match(holds, '^' .. HOLD .. '()', from)
    if tonumber(ends) > now then
      break
    end
    held, from = held - tonumber(permits), after
  end
  if held <= 0 or from > #holds then
    return '', 0, 0
  end
  return string.sub(holds, from), held, lease
end

-- The same, and whether the clock was found to have jumped back.
local function holds_at(state, now, steps_back)
  local holds, held, lease = holds_read(state, now)
  if not steps_back or held == 0 or holds_last_end(holds) <= now + 2 * lease then
    return holds, held, lease, false
  end
  holds = string.gsub(holds, '(;%d+:%d+:)(%d+)', function(hold, ends)
    return hold .. string.format('%.0f', math.min(tonumber(ends), now + lease))
  end)
  return holds, held, lease, true
end

-- With one more, before those that end later.
local function holds_with(holds, id, permits, ends)
  local hold = string.format(';%.0f:%.0f:%.0f', id, permits, ends)
  if holds ~= '' and holds_last_end(holds) > ends then
    for at, later in string.gmatch(holds, '();%d+:%d+:(%d+)') do
      if tonumber(later) > ends then
        return string.sub(holds, 1, at - 1) .. hold .. string.sub(holds, at)
      end
    end
  end
  return holds .. hold
end

-- Without the one of this id, its permits and its end; nil when there is none.
local function holds_without(holds, id)
  local from = string.find(holds, string.format(';%.0f:', id), 1, true)
  if not from then
    return nil
  end
  local permits, ends, after = string.match(holds, '^' .. HOLD .. '()', from)
  return string.sub(holds, 1, from - 1) .. string.sub(holds, after), tonumber(permits), tonumber(ends)
end

-- How long until so many permits have returned by themselves.
local function holds_wait(holds, permits, now)
  local wait = 0
  for returned, ends in string.gmatch(holds, HOLD) do
    permits, wait = permits - tonumber(returned), tonumber(ends) - now
    if permits <= 0 then
      break
    end
  end
  return wait
end

-- How long any is held, and the state to store.
local function holds_state(holds, held, lease, now)
  local reset = 0
  if holds ~= '' then
    reset = holds_last_end(holds) - now
  end
  return reset, string.format('%.0f:%.0f', held, lease) .. holds
end

limits.h = {
  numbers = 3,

  decide = function(state, now, permits, argv, i, steps_back)
    local most, lease, id = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
    local holds, held, longest, jumped = holds_at(state, now, steps_back)
    local fits, retry, stamp = 1, 0, 0
    if permits > most then
      fits = -1
    elseif permits > 0 and held + permits > most then
      fits = 0
      retry = holds_wait(holds, held + permits - most, now)
    elseif permits > 0 then
      holds, held, stamp = holds_with(holds, id, permits, now + lease), held + permits, id
      longest = math.max(longest, lease)
    end
    local remaining = math.max(0, most - held)
    local reset, changed = holds_state(holds, held, longest, now)
    if jumped or stamp > 0 then
      return fits, remaining, retry, reset, stamp, lifetime(reset), changed
    end
    return fits, remaining, retry, reset, stamp, 0, nil
  end,

  -- Only the hold of that id: it is the stamp.
  give_back = function(state, now, permits, stamp, argv, i, steps_back)
    local holds, held, lease = holds_at(state, now, steps_back)
    local left, returned = holds_without(holds, stamp)
    if not left then
      return 0, nil
    end
    local reset, changed = holds_state(left, held - returned, lease, now)
    return lifetime(reset), changed
  end,

  reward = function()
    return 0, nil
  end,

  -- (state, now, stamp, argv, i, steps_back) -> ttl, state': the lease begins anew, and never ends
  -- sooner than before.
  renew = function(state, now, stamp, argv, i, steps_back)
    local lease = tonumber(argv[i + 2])
    local holds, held, longest = holds_at(state, now, steps_back)
    local others, permits, ends = holds_without(holds, stamp)
    if not others then
      return 0, nil
    end
    holds = holds_with(others, stamp, permits, math.max(ends, now + lease))
    local reset, changed = holds_state(holds, held, math.max(longest, lease), now)
    return lifetime(reset), changed
  end,
}
