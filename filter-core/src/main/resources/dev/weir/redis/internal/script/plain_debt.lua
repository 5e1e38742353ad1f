-- The debt of a bucket as most requests find it: what is owed now, 0 or less if it is paid. It is
-- nil for a state of another shape, with other numbers, or of a later time. bucket.lua reads those. See
-- plain_bucket.lua.

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
