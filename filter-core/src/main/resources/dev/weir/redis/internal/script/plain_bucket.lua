-- A token bucket as most requests find it.
--
-- Model. Nearly every request finds a bucket with the numbers that it was written with. No request
-- waits for it, it has lent nothing, and it has the permits. The other rules of bucket.lua then
-- have little effect. Redis creates the functions of a script anew with each call, and that takes
-- longer than such a decision. So this is not a function. It is a block wherever a driver or a
-- limit has a line that includes it. The code after it is created when it is needed.
--
-- The inputs are the locals `state` (a string or nil), `now`, `permits`, and the bucket's numbers
-- `p`, `q` and `burst`, with ticks of a microsecond. The results are `remaining`; `reset`, the time
-- until the bucket is full; and `changed`, the state to store. `remaining` is nil if bucket.lua
-- must decide.
--
-- Invariant. The result here is the result of bucket.lua. All that this does not know, above all a
-- state of another shape, is left to bucket.lua.
--
-- Divisions are exact, as in prelude.lua. No product is too large to be exact. burst * q is not,
-- and what time has paid is not multiplied beyond.
--
-- Example. 3 per second, burst 6, state '6000000:5000000:1000000', one permit at 5333334: 1000002
-- units are paid, 4999998 + 1000000 <= 6000000: remaining 0, reset 2000000, as in bucket.lua. At
-- 5333333 it does not fit, and bucket.lua returns when it does.

local remaining, reset, changed
local debt = 0
if state then
  local owed, at, from = match(state, '^(%d+):(%d+):(%d+)$')
  debt = nil
  if owed and from + 0 == q then
    owed, at = owed + 0, at + 0
    if owed < EXACT and at <= now then
      local elapsed = now - at
      debt = elapsed > EXACT / p and 0 or owed - elapsed * p
    end
  end
end
if debt and permits > 0 and permits <= burst then
  if debt < 0 then
    debt = 0
  end
  local wanted = debt + permits * q
  local left = burst * q - wanted
  if left >= 0 then
    local rest = fmod(wanted, p)
    reset = (wanted - rest) / p
    if rest > 0 then
      reset = reset + 1
    end
    if reset > FAR then
      reset = FAR
    end
    remaining, changed = (left - fmod(left, q)) / q, format(WHOLES, wanted, now, q)
  end
end
