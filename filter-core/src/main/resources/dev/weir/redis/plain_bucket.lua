-- A token bucket as callers know it, and the short way of most decisions.
--
-- Model. Nearly every request finds a bucket whose numbers are those it was written with, for which
-- nobody waits, which has lent nothing, and in which the permits are. What bucket.lua has to say of
-- all others comes to little then, and Redis makes all of its functions anew with each call, which
-- takes longer than such a decision. So it is decided here, and the others are made when they are
-- needed: limits.B, the bucket in full.
--
-- Invariant. What is answered here is what the bucket in full would answer. Whatever this finds that
-- it does not know, a state of another shape most of all, it leaves to that one.
--
-- Example. 3 per second, burst 6, state '6000000:5000000:1000000', one permit at 5333334: 1000002
-- units are paid, 4999998 + 1000000 <= 6000000: remaining 0, reset 2000000, as bucket.lua has it. At
-- 5333333 it does not fit, and bucket.lua says when it does.

local STATE = WHOLE .. ':' .. WHOLE .. ':' .. WHOLE

-- The debt as of so many ticks, or nil where it takes more to tell.
local function plain_debt(state, ticks, p, q, tick)
  if not state then
    return 0
  end
  local debt, at, from = match(state, '^(%d+):(%d+):(%d+)$')
  if not debt or from + 0 ~= q then
    return nil
  end
  debt, at = debt + 0, ceil_div(at + 0, tick)
  if debt >= EXACT or at > ticks then
    return nil
  end
  if ticks - at >= ceil_div(debt, p) then
    return 0
  end
  return debt - (ticks - at) * p
end

limits.b = setmetatable({
  numbers = 4,

  decide = function(state, now, permits, argv, i, steps_back, patience)
    local p, q, tick, burst = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 3] + 0, argv[i + 4] + 0
    local ticks = floor_div(now, tick)
    local debt = plain_debt(state, ticks, p, q, tick)
    if debt and permits > 0 and permits <= burst then
      local wanted, full = debt + permits * q, burst * q
      if wanted <= full then
        local reset = micros(ceil_div(wanted, p), tick) + (ticks * tick - now)
        local changed = format(STATE, wanted, ticks * tick, q)
        return 1, floor_div(full - wanted, q), 0, reset, now, lifetime(reset), changed
      end
    end
    return limits.B.decide(state, now, permits, argv, i, steps_back, patience)
  end,
}, {
  -- any other entry
  __index = function(_, change)
    return limits.B[change]
  end,
})
