-- A fixed window that lends; lending_bucket.lua defines that.
--
-- Model. A window needs no sums. A node spends leased permits only in the window that they were
-- charged to, since the lease ends with it. So they count where they were spent, however late.
-- Returned permits come off while the window lasts. The permits of a dead node count as spent. The
-- window's end names a lease.
--
-- Clock. A clock that moves back by more than two windows dates the window to now. When time
-- reaches the old end again, there is a second window of that name. It begins no sooner than a
-- window after the clock was moved, if the clock goes on by itself. So a node reports a lease while
-- that lasts, or for half a window. The rest is left to calls in flight. If the clock is set
-- forward again, or the key was lost, there is a second window sooner. Permits returned to it then
-- let others have more, up to what was leased.

local function window_settle_lease(state, now, lease)
  local used, ends = window_in_use(state, now)
  if ends ~= lease.ends then
    return 0, 0, nil
  end
  return 1, lifetime(ends - now), window_state(math.max(0, used - lease.back), ends)
end

local function window_lend(state, now, wanted, argv, i, fresh_end)
  local quota = tonumber(argv[i + 1])
  local used, ends = window_in_use(state, now)
  if not used then
    used, ends = 0, fresh_end(now, argv, i)
    if not ends then
      return -2, 0, 0, 0, nil
    end
  end
  local left = math.max(0, quota - used)
  local lent = math.min(wanted, floor_div(left, 2), floor_div(quota, 4))
  local length = math.min(ends, leases_end(now)) - now
  if lent == 0 then
    return 0, ends, length, 0, nil
  end
  return lent, ends, length, lifetime(ends - now), window_state(used + lent, ends)
end

limits.f.settle_lease = window_settle_lease
limits.c.settle_lease = window_settle_lease

limits.f.lend = function(state, now, wanted, argv, i)
  return window_lend(state, now, wanted, argv, i, window_length_end)
end

limits.c.lend = function(state, now, wanted, argv, i)
  return window_lend(state, now, wanted, argv, i, window_calendar_end)
end
