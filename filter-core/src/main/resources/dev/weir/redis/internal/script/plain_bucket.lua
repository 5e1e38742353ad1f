-- A token bucket as most requests find it.
--
-- Model. Nearly every request finds a bucket with the numbers that it was written with. No request
-- waits for it, and it has lent nothing. The other rules of bucket.lua then have little effect.
-- Redis creates the functions of a script anew with each call, and that takes longer than such a
-- decision. So this is not a function. It is a block wherever a driver or a limit has a line that
-- includes it. The code after it is created when it is needed.
--
-- The inputs are the locals `state` (a string or nil), `now`, `permits`, and the bucket's numbers
-- `p`, `q` and `burst`, with ticks of a microsecond. The results are `fits`, which is 1 or 0, or nil
-- if bucket.lua must decide; `remaining`; `retry`; `reset`, the time until the bucket is full; and
-- `changed`, the state to store, nil after a denial. The code around this declares them.
--
-- Invariant. The result here is the result of bucket.lua. All that this does not know, above all a
-- state of another shape, is left to bucket.lua.
--
-- Divisions are exact, as in prelude.lua. No product is too large to be exact. burst * q is not,
-- and what time has paid is not multiplied beyond.
--
-- Example. 3 per second, burst 6, state '6000000:5000000:1000000', one permit at 5333334: 1000002
-- units are paid, 4999998 + 1000000 <= 6000000: remaining 0, reset 2000000, as in bucket.lua. At
-- 5333333 it does not fit by one unit: retry 1, nothing to store.

--include plain_debt
if debt and permits > 0 and permits <= burst then
  if debt < 0 then
    debt = 0
  end
  local full, wanted = burst * q, debt + permits * q
  local left = full - wanted
  if left >= 0 then
    remaining, changed = (left - fmod(left, q)) / q, format(WHOLES, wanted, now, q)
    fits, debt, retry = 1, wanted, 0
  elseif wanted < EXACT - full then
    fits, remaining = 0, 0
    if debt < full then
      remaining = (full - debt - fmod(full - debt, q)) / q
    end
    local part = fmod(-left, p)
    retry = (-left - part) / p
    if part > 0 then
      retry = retry + 1
    end
    if retry > FAR then
      retry = FAR
    end
  end
  if fits then
    local rest = fmod(debt, p)
    reset = (debt - rest) / p
    if rest > 0 then
      reset = reset + 1
    end
    if reset > FAR then
      reset = FAR
    end
  end
end
