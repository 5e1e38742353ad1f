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
-- The short path is plain_sliding.lua, and all else the long path, sliding_by_count.lua.
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
    local fits, remaining, retry, reset, stamp, changed
    --include plain_sliding
    if not fits then
      return sliding_by_count().decide(state, now, permits, quota, width, k, steps_back)
    end
    return fits, remaining, retry, reset, stamp, changed and lifetime(reset) or 0, changed
  end,
}

--changes

local by_count = sliding_by_count()
limits.s.refund, limits.s.debit, limits.s.reward = by_count.refund, by_count.debit, by_count.reward
