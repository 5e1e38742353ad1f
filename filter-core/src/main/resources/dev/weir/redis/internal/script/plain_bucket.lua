-- A token bucket as most requests find it.
--
-- Model. Nearly every request finds a bucket whose numbers are those it was written with, for which
-- nobody waits, which has lent nothing, and in which the permits are. What bucket.lua has to say of
-- all others comes to little then. Redis makes the functions of a script anew with each call, and that
-- takes longer than such a decision. So this stands first: the drivers plain_one.lua and
-- plain_batch.lua decide by it before anything else is made, and bucket.lua is made when it is needed.
--
-- Invariant. What is answered here is what bucket.lua would answer. Whatever this finds that it does
-- not know, a state of another shape most of all, it leaves to that one.
--
-- Example. 3 per second, burst 6, state '6000000:5000000:1000000', one permit at 5333334: 1000002
-- units are paid, 4999998 + 1000000 <= 6000000: remaining 0, reset 2000000, as bucket.lua has it. At
-- 5333333 it does not fit, and bucket.lua says when it does.

local fmod = math.fmod
local PLAIN = WHOLE .. ':' .. WHOLE .. ':' .. WHOLE

-- Takes permits of a bucket whose ticks are microseconds: what remains, until when it is full, and the
-- state to store; or nil where bucket.lua is to answer. Divisions are exact, as in prelude.lua. No product
-- is too large to be exact: burst * q is not, and what time has paid is not multiplied beyond.
local function plain(state, now, permits, p, q, burst)
  if permits == 0 or permits > burst then
    return nil
  end
  local debt = 0
  if state then
    local owed, at, from = match(state, '^(%d+):(%d+):(%d+)$')
    if not owed or from + 0 ~= q then
      return nil
    end
    debt, at = owed + 0, at + 0
    if debt >= EXACT or at > now then
      return nil
    end
    local elapsed = now - at
    debt = elapsed > EXACT / p and 0 or debt - elapsed * p
    if debt < 0 then
      debt = 0
    end
  end
  local wanted = debt + permits * q
  local left = burst * q - wanted
  if left < 0 then
    return nil
  end
  local rest = fmod(wanted, p)
  local reset = (wanted - rest) / p
  if rest > 0 then
    reset = reset + 1
  end
  if reset > FAR then
    reset = FAR
  end
  return (left - fmod(left, q)) / q, reset, format(PLAIN, wanted, now, q)
end
