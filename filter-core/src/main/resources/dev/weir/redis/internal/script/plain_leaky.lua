-- A leaky bucket as most requests find it that cannot wait: empty, or not. The inputs and results are
-- those of plain_bucket.lua, and so is the invariant.
--
-- A request runs when all earlier ones have flowed out. So without patience it fits an empty bucket
-- alone, and none remains after that. While others flow out, it fits when they have.

--include plain_debt
if debt and debt < EXACT - burst * q and permits > 0 and permits <= burst then
  fits, remaining = 0, 0
  if debt <= 0 then
    fits, debt = 1, permits * q
    changed = format(WHOLES, debt, now, q)
  end
  local rest = fmod(debt, p)
  reset = (debt - rest) / p
  if rest > 0 then
    reset = reset + 1
  end
  if reset > FAR then
    reset = FAR
  end
  retry = fits == 1 and 0 or reset
end
