-- The fixed window, or period. Most decisions take a shorter path, plain_window.lua.
--
-- Model. At most L permits are acquired in a window. The state is how many were, and when the
-- window ends. The first request after that end begins the next window. A window of the
-- first-request kind ('f') ends so long after the request that began it. A window that follows a
-- calendar ('c') ends where the caller says. Lua knows no calendar. So the caller sends the bounds
-- of the previous, the current and the next window by its own clock, four instants. The script
-- takes those that hold the server's now. If none does, nothing is charged: fits is -2. The caller
-- learns the server's time, and sends the request once more.
--
-- State. 'used:end': permits, and microseconds. The end of a window in use wins over the end that a
-- caller would compute. So nodes that disagree about the calendar still share one count.
--
-- Clock. Time that moves back leaves the window as it is. If its end is more than two windows away,
-- its start is more than one window in the future. The clock has jumped, or the window has become
-- much shorter. It then ends where a window that begins now would, with its count kept. So the jump
-- does not lock out requests for its own length. A denial stores only this.
--
-- ARGV. 'f': L, length. 'c': L, the greatest length, then four bounds in ascending order. All but L
-- are in microseconds.
--
-- Example. 'f', L = 2, length 60000000. State nil, now 5000000, one permit: fits, remaining 1,
-- reset 60000000, stamp 65000000, state '1:65000000'. At 6000000 another: fits, remaining 0, state
-- '2:65000000'. At 7000000: denied, retry 58000000, nothing stored. At 65000000 it fits.

-- Returns the end of a window of this kind that begins now, or nil.
local fresh_end
if letter == 'f' then
  fresh_end = function(now, argv, i)
    return now + tonumber(argv[i + 2])
  end
else
  fresh_end = function(now, argv, i)
    if now < tonumber(argv[i + 3]) then
      return nil
    end
    for bound = 4, 6 do
      local ends = tonumber(argv[i + bound])
      if now < ends then
        return ends
      end
    end
    return nil
  end
end

-- Returns what was used in the window that holds now, and its end; nil if there is none.
local function window_in_use(state, now)
  if not state then
    return nil
  end
  local used, ends = string.match(state, '^(%d+):(%d+)$')
  used, ends = whole(used), whole(ends)
  if used and ends and ends > now then
    return used, ends
  end
  return nil
end

local function window_state(used, ends)
  return format(PAIR, used, ends)
end

limits[letter] = {
  numbers = letter == 'f' and 2 or 6,

  decide = function(state, now, permits, argv, i, steps_back)
    local quota, longest = argv[i + 1] + 0, argv[i + 2] + 0
    local used, ends = window_in_use(state, now)
    local jumped = steps_back and used and ends > now + 2 * longest
    if jumped or not used then
      used, ends = used or 0, fresh_end(now, argv, i)
      if not ends then
        return -2, 0, 0, 0, 0, 0, nil
      end
    end
    local fits, remaining, retry, reset
    --include window_taken
    if jumped or (fits == 1 and permits > 0) then
      return fits, remaining, retry, reset, ends, lifetime(ends - now), window_state(used, ends)
    end
    return fits, remaining, retry, reset, ends, 0, nil
  end,
}

--changes

local window = limits[letter]

window.reward = function(state, now, permits)
  local used, ends = window_in_use(state, now)
  if not used or used == 0 then
    return 0, nil
  end
  return lifetime(ends - now), window_state(math.max(0, used - permits), ends)
end

window.debit = function(state, now, permits, argv, i)
  local used, ends = window_in_use(state, now)
  if not used then
    used, ends = 0, fresh_end(now, argv, i)
    if not ends then
      return -2, nil
    end
  end
  return lifetime(ends - now), window_state(math.min(EXACT - 1, used + permits), ends)
end

-- A window from which nothing is used keeps its end.
window.lasts = function(state, now)
  local _, ends = window_in_use(state, now)
  return ends and ends - now or 0
end

-- Refunds only to the window that was charged: its end is the stamp.
window.refund = function(state, now, permits, stamp)
  local _, ends = window_in_use(state, now)
  if ends ~= stamp then
    return 0, nil
  end
  return window.reward(state, now, permits)
end

-- How a window lends; lending_bucket.lua defines that.
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

window.settle_lease = function(state, now, lease)
  local used, ends = window_in_use(state, now)
  if ends ~= lease.ends then
    return 0, 0, nil
  end
  return 1, lifetime(ends - now), window_state(math.max(0, used - lease.back), ends)
end

window.lend = function(state, now, wanted, argv, i)
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
