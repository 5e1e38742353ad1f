-- The sliding window.
--
-- Model. Time is cut into sub-windows of one width, numbered from 1970. The state is how many
-- permits were acquired in each. A permit counts until k more sub-windows have ended after its own.
-- Those that count at any time are in k + 1 sub-windows. A window of k widths touches no more than
-- these, wherever it begins. So none holds more than L. The oldest sub-window counts whole.
--
-- State. 'width:first:span:sum:n:n:...'. These are the width in microseconds, the number of the
-- oldest sub-window kept, how many more follow it, and the sum of all permits. Then come the
-- permits acquired in the oldest sub-window and in each after it. If the width has changed, permits
-- move into a sub-window of the new width. It is the one that holds the last instant at which they
-- may have been acquired. They count no shorter, so that a change mints nothing.
--
-- Clock. Time that moves back does not count: permits are acquired in the newest sub-window that is
-- kept, until the clock has caught up. If that lies ahead by more than all that count together, the
-- clock has jumped. The sub-windows are then dated back, the newest to now, with their permits
-- kept. So the jump does not lock out requests for its own length. A denial stores only this.
--
-- The short path. Usually the width is that of the last write, and the clock has not moved back.
-- Then the sum decides. An acquisition changes the last count, or adds some behind it. Only what
-- counts no longer is taken off, from the front. On this path, up to 61 counts are neither read nor
-- written one by one, which would take Redis 100 µs. All else takes the long path, which reads each
-- count. That is a state of another width, a clock behind the state, a newest count that was
-- refunded whole, and foreign text.
--
-- Reward. Permits are returned from the oldest sub-window on. In any order, a reward takes only
-- from earlier acquisitions. So any window allows at most L and what was rewarded within it. Of all
-- orders this is the strictest: the permits taken from return soonest in any case. So at every
-- later time at least as many count as in any other order. A reward is a gain now, and not once
-- more later.
--
-- ARGV. L, width in microseconds, k.
--
-- Example. L = 3, width 1000000, k = 2. State nil, now 5200000, 2 permits: fits, remaining 1, reset
-- 2800000, stamp 5000000, state '1000000:5:0:2:2'. At 6900000 one more: fits, remaining 0, state
-- '1000000:5:1:3:2:1'. At 7999999 another: denied, since the first two count until 8000000; retry
-- 1, nothing stored. At 8000000 it fits, remaining 1, state '1000000:6:2:2:1:0:1'.

local find = string.find

local SLIDING_STATE = WHOLE .. ':' .. WHOLE .. ':' .. WHOLE .. ':' .. WHOLE .. ':%s'

-- Returns what counts now, on the short path: the numbers of the oldest and the newest sub-window,
-- the sum, and the counts as text. The text is '' if nothing counts. Returns nil if the state takes
-- the long path.
local function sliding_plain(state, at, width, k)
  if not state then
    return at, at, 0, ''
  end
  local from, first, span, sum, list = match(state, '^(%d+):(%d+):(%d+):(%d+):([%d:]*[1-9]%d*)$')
  if not from or from + 0 ~= width then
    return nil
  end
  first, sum = first + 0, sum + 0
  local last, begins = first + span, 1
  if last > at or last < at - k or sum >= EXACT then
    return nil
  end
  local _, ends, count = find(list, '^(%d+):')
  while ends and (first < at - k or count + 0 == 0) do
    first, sum, begins = first + 1, sum - count, ends + 1
    _, ends, count = find(list, '^(%d+):', begins)
  end
  if begins > 1 then
    list = string.sub(list, begins)
  end
  if first > last or sum <= 0 then
    return nil
  end
  return first, last, sum, list
end

-- Returns the number of the sub-window with which so many permits no longer count.
local function sliding_freed(first, list, excess)
  local number, freed = first - 1, 0
  for count in string.gmatch(list, '%d+') do
    number, freed = number + 1, freed + count
    if freed >= excess then
      break
    end
  end
  return number
end

-- Returns the counts with so many permits more in the newest sub-window.
local function sliding_plus(list, last, at, permits)
  if list == '' then
    return format(WHOLE, permits)
  end
  if at > last then
    return list .. string.rep(':0', at - last - 1) .. format(':' .. WHOLE, permits)
  end
  local before, count = match(list, '^(.*:)(%d+)$')
  if not before then
    return format(WHOLE, list + permits)
  end
  return before .. format(WHOLE, count + permits)
end

local long_path

-- Returns the long path, which is created when it is first needed.
local function sliding_by_count()
  if not long_path then
    --include sliding_by_count
    long_path = by_count -- from that include
  end
  return long_path
end

limits.s = {
  numbers = 3,

  decide = function(state, now, permits, argv, i, steps_back)
    local quota, width, k = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 3] + 0
    local at = floor_div(now, width)
    local first, last, sum, list = sliding_plain(state, at, width, k)
    if not first then
      return sliding_by_count().decide(state, now, permits, quota, width, k, steps_back)
    end
    if permits > 0 and permits <= quota - sum then
      list, sum = sliding_plus(list, last, at, permits), sum + permits
      local reset = (at + k + 1) * width - now
      local changed = format(SLIDING_STATE, width, first, at - first, sum, list)
      return 1, quota - sum, 0, reset, at * width, lifetime(reset), changed
    end
    local fits, retry, reset = 1, 0, 0
    if permits > quota then
      fits = -1
    elseif permits > 0 then
      fits = 0
      retry = (sliding_freed(first, list, sum - quota + permits) + k + 1) * width - now
    end
    if sum > 0 then
      reset = (last + k + 1) * width - now
    end
    return fits, math.max(0, quota - sum), retry, reset, at * width, 0, nil
  end,
}

--changes

local by_count = sliding_by_count()
limits.s.refund, limits.s.debit, limits.s.reward = by_count.refund, by_count.debit, by_count.reward
