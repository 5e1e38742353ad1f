-- A token bucket that lends. This is in a function of lendable_bucket.lua. There, `bucket` is the
-- one that does not lend.
--
-- Model. leases.lua defines what is out of a bucket. The bucket's own arithmetic does not know of
-- it. Here it receives a debt that is no lower than what is out. Its results are then corrected by
-- how long that is so. A limit that lends has more entries for changes:
--
--   settle_lease  (state, now, lease, argv, i, steps_back) -> carried, ttl, state': carried is 1 if
--                 the lease was still alive and its kept part has a new end
--   lend          (state, now, wanted, argv, i, steps_back) -> lent, ends, length, ttl, state'
--   reset         (state, now, steps_back) -> state': what is left after a reset, or nil. A limit
--                 without this entry is forgotten
--
--   lease         { ends, out, kept, back }: 'ends' is its name, the others are permits
--   lent          how many of the wanted permits; ends is the name of the lease when it is settled
--   length        microseconds from now for which they may be spent
--
-- The other limits lend nothing. A leaky bucket promises that its permits are spaced, and a node
-- would spend a lease at once. Permits of a concurrency limit have a holder. A sliding window
-- counts a permit where it was charged, in a sub-window that ends earlier than a lease might.

-- Returns the least debt as of now, if so many permits are out until `ends`.
local function leased_units(permits, ends, now, b)
  local units = math.min(permits, b.burst) * b.q
  local ticks = floor_div(now, b.tick) - floor_div(ends, b.tick)
  if ticks <= 0 then
    return units
  end
  if ticks >= ceil_div(units, b.p) then
    return 0
  end
  return units - ticks * b.p
end

-- Returns a bucket as of now, with what is out of it: its numbers, its debt as in bucket.lua, and
-- 'live'.
local function leased_bucket(own, out, now, argv, i, steps_back)
  local b = { p = tonumber(argv[i + 1]), q = tonumber(argv[i + 2]) }
  b.tick, b.burst = tonumber(argv[i + 3]), tonumber(argv[i + 4])
  b.debt, b.at, b.last, b.n, b.jumped =
    bucket_aged(own, now, b.p, b.q, b.tick, b.burst, steps_back)
  b.live = leases_live(out, now)
  if out then
    local first, second = (out.cell + 1) * GRID, (out.cell + 2) * GRID
    b.jumped = b.jumped or out.jumped
    b.debt = math.max(b.debt, leased_units(out.first + out.second, first, now, b))
    b.debt = math.max(b.debt, leased_units(out.second, second, now, b))
  end
  return b
end

local function leased_own(b)
  return bucket_state(b.debt, b.at, b.q, b.tick, b.last, b.n)
end

-- Returns how long from now what is out prevents so many permits from fitting; 0 if it does not.
local function leased_hold(b, permits, now)
  local room = math.max(0, (b.burst - permits) * b.q)
  local hold = 0
  for cells, sum in ipairs({ b.live.first + b.live.second, b.live.second }) do
    local units = math.min(sum, b.burst) * b.q
    if units > room then
      local ends = floor_div((b.live.cell + cells) * GRID, b.tick) * b.tick
      hold = math.max(hold, ends - now + micros(ceil_div(units - room, b.p), b.tick))
    end
  end
  return hold
end

-- Returns how long from now until the debt is 0 and nothing is out.
local function leased_reset(b, now)
  return math.max(bucket_delay(b.debt, b.at, b.p, b.tick, now), leased_hold(b, b.burst, now))
end

-- Returns how long to keep a bucket, and what to store.
local function leased_state(b, now)
  b.debt = math.max(b.debt, math.min(b.live.first + b.live.second, b.burst) * b.q)
  local owed = bucket_behind(b.debt, b.at, b.last, b.n, b.p, b.q, b.tick, b.burst * b.q)
  local reset = math.max(leased_reset(b, now), bucket_delay(owed, b.at, b.p, b.tick, now))
  return lifetime(reset), leases_on(b.live, leased_own(b))
end

-- Returns the same for a state that the bucket's own arithmetic has changed.
local function leased_changed(b, changed, now, argv, i, steps_back)
  local after = leased_bucket(changed, nil, now, argv, i, steps_back)
  after.live = b.live
  return leased_state(after, now)
end

local with_leases = {
  decide = function(state, now, permits, argv, i, steps_back, patience)
    local own, out = leases_off(state, now, steps_back)
    if not out then
      return bucket.decide(own, now, permits, argv, i, steps_back, patience)
    end
    local b = leased_bucket(own, out, now, argv, i, steps_back)
    local hold = leased_hold(b, permits, now)
    if hold > 0 then
      -- the bucket does not know when the request would run
      patience = 0
    end
    local fits, remaining, retry, reset, stamp, ttl, changed =
      bucket.decide(leased_own(b), now, permits, argv, i, steps_back, patience)
    if fits == 0 then
      retry = math.max(retry, hold)
    end
    reset = math.max(reset, leased_hold(b, b.burst, now))
    if b.jumped and not changed then
      changed = leased_own(b)
    end
    if changed then
      ttl, changed = leased_changed(b, changed, now, argv, i, steps_back)
    end
    return fits, remaining, retry, reset, stamp, ttl, changed
  end,
}

--changes

-- Wraps a change of the bucket. The change receives the bucket's own state.
local function leased(state, now, argv, i, steps_back, change)
  local own, out = leases_off(state, now, steps_back)
  if not out then
    return change(own)
  end
  local b = leased_bucket(own, out, now, argv, i, steps_back)
  local ttl, changed = change(leased_own(b))
  if changed then
    return leased_changed(b, changed, now, argv, i, steps_back)
  end
  return ttl, nil
end

with_leases.refund = function(state, now, permits, stamp, argv, i, steps_back, granted)
  return leased(state, now, argv, i, steps_back, function(own)
    return bucket.refund(own, now, permits, stamp, argv, i, steps_back, granted)
  end)
end

with_leases.reward = function(state, now, permits, argv, i, steps_back)
  return leased(state, now, argv, i, steps_back, function(own)
    return bucket.reward(own, now, permits, argv, i, steps_back)
  end)
end

with_leases.debit = function(state, now, permits, argv, i, steps_back)
  return leased(state, now, argv, i, steps_back, function(own)
    return bucket.debit(own, now, permits, argv, i, steps_back)
  end)
end

with_leases.lasts = function(state, now)
  return bucket.lasts(leases_off(state, now, false), now)
end

-- The kept part goes where a lease that is taken now would be, or stays where it is.
with_leases.settle_lease = function(state, now, lease, argv, i, steps_back)
  local own, out = leases_off(state, now, steps_back)
  local live = leases_live(out, now)
  local sum = out and leases_sum(live, lease.ends)
  if not sum or live[sum] < lease.out then
    return 0, 0, nil
  end
  local b = leased_bucket(own, out, now, argv, i, steps_back)
  local anew = leases_sum(b.live, leases_end(now))
  local kept = anew or sum
  b.live[sum] = b.live[sum] - lease.out
  b.live[kept] = b.live[kept] + lease.kept
  if b.last == 0 then
    b.debt = math.max(0, b.debt - lease.back * b.q)
  end
  local carried = 0
  if anew and lease.kept > 0 then
    carried = 1
  end
  return carried, leased_state(b, now)
end

with_leases.lend = function(state, now, wanted, argv, i, steps_back)
  local own, out = leases_off(state, now, steps_back)
  local b = leased_bucket(own, out, now, argv, i, steps_back)
  local ends = leases_end(now)
  local sum = leases_sum(b.live, ends)
  local left = math.max(0, floor_div(b.burst * b.q - b.debt, b.q))
  local room = floor_div(b.burst, 4) - b.live.first - b.live.second
  local lent = math.max(0, math.min(wanted, floor_div(left, 2), room))
  if not sum or b.last > 0 or lent == 0 then
    return 0, ends, ends - now, 0, nil
  end
  b.debt = b.debt + lent * b.q
  b.live[sum] = b.live[sum] + lent
  return lent, ends, ends - now, leased_state(b, now)
end

-- What is out stays, since nodes spend it whatever happens to the key. The own state has nothing
-- but that as its debt, as of now.
with_leases.reset = function(state, now, steps_back)
  local own, out = leases_off(state, now, steps_back)
  local live = leases_live(out, now)
  local units = whole(string.match(own or '', '^%d+:%d+:(%d+)'))
  if live.first + live.second == 0 or not units then
    return nil
  end
  local owed = (live.first + live.second) * units
  return leases_on(live, string.format('%.0f:%.0f:%.0f', owed, now, units))
end
