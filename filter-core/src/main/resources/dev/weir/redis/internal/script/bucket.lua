-- The token bucket in full, and the leaky bucket, which is a bucket that requires patience. Most
-- decisions take a shorter path, plain_bucket.lua or plain_leaky.lua.
--
-- Model. A bucket of B permits refills at p units per tick. A permit is q units. p, q and the tick
-- are whole numbers, so nothing is ever rounded (see BucketUnits). The state is the debt: the
-- number of units that the bucket lacks. The debt falls by p each tick, down to 0. A request for n
-- permits raises it by n*q. The request runs when the debt, including its own part, is at most B*q.
-- It runs at once if that is so already. A leaky bucket ('l') holds B permits and lets them out one
-- by one. A request runs when all earlier requests have flowed out. The debt without its own part
-- is then 0.
--
-- Patience. A request that can wait is allowed ahead of time. The debt is raised now, beyond what
-- the bucket holds if necessary. 'retry' is then how long to wait before running. Requests run in
-- the order in which they were allowed. At the instants at which they run, the promise holds as if
-- they had been sent then. A token bucket allows a request with a wait no longer than its patience.
-- A leaky bucket in addition never holds more than B permits. A request beyond that overflows.
--
-- Refunds. Waiting requests have their instants, and keep them. A canceled request is refunded if
-- no request was allowed after it. Its stamp is the instant at which it was to run. That is then
-- the instant that follows from the debt without it. Where a tick pays for several permits, the
-- last requests may have one stamp. Then the last is known by its permits. After it was canceled
-- too, the one before is known only if its tick has no room for another permit. Otherwise the
-- permits are spent, since they delay the requests after it. They are also spent if the debt no
-- longer determines when the request runs (see below). The debt then does not determine when the
-- request before it runs either. A refund of a request that has run lets the debt fall faster than
-- waiting requests run. Other requests would then be allowed alongside them. So such a refund
-- counts only while no request waits. In a leaky bucket it never counts: what has flowed out is
-- out.
--
-- Late refunds. Before a refund, time has repaid some of the debt. The repaid part is not refunded
-- too, since other requests may have taken it. So of n permits that were acquired some time ago, at
-- most n less what that time repays are refunded. If the acquisition were undone, the debt would be
-- less by at least that. The debt without it falls as fast, until it is 0.
--
-- The queue. If nothing else changes, the debt determines when the last waiting request runs. With
-- a faster rate, or after a reward, the debt would be paid sooner. But waiting requests keep their
-- instants. So the debt is at least the sum of two parts. One is what the present rate pays until
-- the last waiting request runs. The other is what is left then. A token bucket is then empty. A
-- leaky bucket then has all permits of that request in it, which flow out from then on. New
-- requests run after it. A reward in the meantime counts only for the debt beyond that sum. While
-- the last request waits, the state has its instant and not that sum. At another rate the sum is
-- another. A rate that was fast for a minute must not leave its debt to a slow one.
--
-- State. 'debt:at:q', or 'debt:at:q:last:n' while a request waits. The debt is in units of 1/q
-- permit. The time of that debt, 'at', is in microseconds and a multiple of the tick. The debt is
-- counted in this q, so that a limit with changed numbers can convert it. The last request waits
-- until 'last', and has n permits. Consumption carries over in permits, rounded up: a change mints
-- nothing. A debt may be larger than the bucket in three cases. The bucket has become smaller, a
-- request waits, or more was spent than reserved. The rate of the last write is not kept. Time
-- since then is paid for at the rate of the present request, and the key lives as long as that
-- requires.
--
-- Clock. Time that does not pass, or moves back, pays nothing, and the debt keeps its later time.
-- If that time is later than now by more than the time B takes to refill, the clock has jumped. The
-- debt is then dated to now, so the jump does not lock out requests for its own length. The instant
-- of the last waiting request is dated back too. The request itself waits by no clock, and runs as
-- long after as before. A denial stores only this. Otherwise the next request finds the clock as
-- far away as before.
--
-- ARGV. p, q, tick in microseconds, B.
--
-- Example. 3 per second, burst 6: p = 3, q = 1000000, tick 1. State nil, now 5000000, 6 permits:
-- fits, remaining 0, reset 2000000, state '6000000:5000000:1000000'. At 5333333 one permit: 999999
-- units are paid. 5000001 + 1000000 > 6000000 by 1 unit, which takes ceil(1/3) = 1 tick: denied,
-- retry 1, nothing stored. At 5333334 it fits. Suppose the rate had become 1 per minute at 5333333:
-- p = 1 and q = 60000000. Then 6 permits are 360000000 units, of which 333333 are paid: denied,
-- reset 359666667, nothing stored. The old rate gave the key 3 seconds, and it now lives for 361.
--
-- Example. The same bucket, state '6000000:5000000:1000000', now 5000000, one permit with a
-- patience of a second: 1000000 units too many take 333334 ticks: fits, retry 333334, stamp
-- 5333334, state '7000000:5000000:1000000:5333334:1'. A refund at 5100000: the debt is 6700000,
-- over by 700000. That is paid at 5333334, the stamp. So the debt becomes 5700000.

-- Returns so many ticks in microseconds, no more than FAR.
local function micros(ticks, tick)
  if ticks > FAR / tick then
    return FAR
  end
  return ticks * tick
end

local function bucket_units(debt, from, to)
  local permits = floor_div(debt, from)
  local rest = math.fmod(debt, from)
  local units = 0
  if rest > 0 then
    -- inexact if both are large, so a little is added: never less than the exact value
    units = math.min(to, math.ceil(rest / from * to * (1 + 2 ^ -50)) + 1)
  end
  return permits, units
end

-- Returns how many units must be paid before a request runs that raises the debt to 'wanted'.
local function bucket_due(debt, wanted, full)
  if letter == 'l' then
    return debt
  end
  return wanted - full
end

-- Returns what is left of the debt when the last waiting request runs, which has so many units.
local function bucket_left(full, units)
  if letter == 'l' then
    return units
  end
  return full
end

-- Returns the greatest debt that can be counted exactly together with one full bucket.
local function bucket_most(full)
  return EXACT - 1 - full
end

-- Returns the debt, but no less than what delays new requests until the last waiting request has
-- run. That request has n permits.
local function bucket_behind(debt, at, last, n, p, q, tick, full)
  if last == 0 then
    return debt
  end
  local ticks = ceil_div(last, tick) - at
  if ticks <= 0 then
    return debt
  end
  local left = bucket_left(full, n * q)
  -- its wait was rounded up to whole ticks: a debt that is paid within the last tick is its own
  if debt > left + (ticks - 1) * p then
    return debt
  end
  return math.min(left + ticks * p, bucket_most(full))
end

-- Returns the parts of a state, or nil if there is no state in this format.
local function bucket_read(state)
  if not state then
    return nil
  end
  local debt, at, from, line = match(state, '^(%d+):(%d+):(%d+)(.*)$')
  if not debt then
    return nil
  end
  debt, at, from = debt + 0, at + 0, from + 0
  if debt >= EXACT or at >= EXACT or from >= EXACT or from == 0 then
    return nil
  end
  if line == '' then
    return debt, at, from, 0, 0
  end
  local last, n = match(line, '^:(%d+):(%d+)$')
  last, n = whole(last), whole(n)
  if not (last and n) then
    return nil
  end
  return debt, at, from, last, n
end

-- Returns the debt and its time in ticks, as of now, and whether the clock has jumped back. Between
-- them it returns until when the last request waits, or 0 for none, and its permits.
local function bucket_aged(state, now, p, q, tick, burst, steps_back)
  local ticks = floor_div(now, tick)
  local debt, at, from, last, n = bucket_read(state)
  if not debt then
    return 0, ticks, 0, 0, false
  end
  if from ~= q then
    local permits, units = bucket_units(debt, from, q)
    -- no more than can be counted exactly together with one full bucket
    debt = math.min(permits, floor_div(EXACT - 1 - burst * q, q) - 1) * q + units
  end
  at = ceil_div(at, tick)
  local jumped = steps_back and at > ticks and at - ticks > ceil_div(burst * q, p)
  if jumped then
    last, at = last - (at - ticks) * tick, ticks
  end
  if last ~= 0 and last <= now then
    debt, last, n = bucket_behind(debt, at, last, n, p, q, tick, burst * q), 0, 0
  end
  if at >= ticks then
    return debt, at, last, n, jumped
  end
  local elapsed = ticks - at
  if elapsed >= ceil_div(debt, p) then
    return 0, ticks, last, n, false
  end
  return debt - elapsed * p, ticks, last, n, false
end

local function bucket_state(debt, at, q, tick, last, n)
  if last == 0 then
    return format(WHOLES, debt, at * tick, q)
  end
  return format(WHOLES .. ':' .. WHOLE .. ':' .. WHOLE, debt, at * tick, q, last, n)
end

-- Returns how long from now until so many units, part of a debt as of `at`, are paid.
local function bucket_wait(units, at, p, tick, now)
  local time = micros(ceil_div(units, p), tick) + (at * tick - now)
  if time < 0 then
    return 0
  end
  return time
end

-- Like bucket_wait. Without debt there is no wait, even if the clock has moved back.
local function bucket_delay(units, at, p, tick, now)
  if units <= 0 then
    return 0
  end
  return bucket_wait(units, at, p, tick, now)
end

local function bucket_decide(state, now, permits, argv, i, steps_back, patience)
  local p, q, tick, burst = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 3] + 0, argv[i + 4] + 0
  local full = burst * q
  local debt, at, last, n, jumped = bucket_aged(state, now, p, q, tick, burst, steps_back)
  local owed = bucket_behind(debt, at, last, n, p, q, tick, full)
  local fits, retry, stamp = 1, 0, 0
  if permits > burst then
    fits = -1
  elseif permits > 0 then
    local wanted = owed + permits * q
    local delay = bucket_delay(bucket_due(owed, wanted, full), at, p, tick, now)
    local most = letter == 'l' and full or bucket_most(full)
    local over = bucket_delay(wanted - most, at, p, tick, now)
    if over > 0 or delay > patience then
      fits, retry = 0, math.max(over, delay - patience)
    else
      debt, retry, stamp = debt + permits * q, delay, now + delay
      if delay > 0 then
        last, n = stamp, permits
      end
      owed = bucket_behind(debt, at, last, n, p, q, tick, full)
    end
  end
  local remaining, reset = 0, 0
  if owed < full and bucket_delay(bucket_due(owed, owed, full), at, p, tick, now) <= patience then
    remaining = floor_div(full - owed, q)
  end
  if owed > 0 then
    reset = bucket_wait(owed, at, p, tick, now)
  end
  if jumped or (fits == 1 and permits > 0) then
    local changed = bucket_state(debt, at, q, tick, last, n)
    return fits, remaining, retry, reset, stamp, lifetime(reset), changed
  end
  return fits, remaining, retry, reset, stamp, 0, nil
end

limits[letter] = { numbers = 4, decide = bucket_decide }

--changes

local function bucket_lessen(state, now, units, argv, i, steps_back)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local debt, at, last, n = bucket_aged(state, now, p, q, tick, burst, steps_back)
  if debt == 0 then
    return 0, nil
  end
  debt = math.max(0, debt - units)
  local owed = bucket_behind(debt, at, last, n, p, q, tick, burst * q)
  local reset = bucket_wait(owed, at, p, tick, now)
  return lifetime(reset), bucket_state(debt, at, q, tick, last, n)
end

local function bucket_reward(state, now, permits, argv, i, steps_back)
  return bucket_lessen(state, now, permits * tonumber(argv[i + 2]), argv, i, steps_back)
end

local function bucket_debit(state, now, permits, argv, i, steps_back)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local debt, at, last, n = bucket_aged(state, now, p, q, tick, burst, steps_back)
  local room = floor_div(math.max(0, bucket_most(burst * q) - debt), q)
  debt = debt + math.min(permits, room) * q
  local owed = bucket_behind(debt, at, last, n, p, q, tick, burst * q)
  return lifetime(bucket_wait(owed, at, p, tick, now)), bucket_state(debt, at, q, tick, last, n)
end

-- Refunds a waiting request that no later request follows. Earlier requests still wait, at the
-- latest until the instant that the debt determines.
local function bucket_cancel(state, now, permits, stamp, argv, i, steps_back, granted)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local full = burst * q
  local debt, at, last, n = bucket_aged(state, now, p, q, tick, burst, steps_back)
  local before = debt - permits * q
  local due = bucket_due(before, debt, full)
  local runs = now + bucket_delay(due, at, p, tick, now)
  local held = bucket_behind(debt, at, last, n, p, q, tick, full) > debt
  if held or before < 0 or stamp <= now or stamp ~= runs then
    return 0, nil
  end
  -- a leaky bucket needs no such care: there, whoever shares a tick delays nobody beyond it
  if letter ~= 'l' and granted ~= n and now + bucket_delay(due - q, at, p, tick, now) == runs then
    return 0, nil
  end
  last, n = now + bucket_delay(before - bucket_left(full, q), at, p, tick, now), 1
  if last == now then
    last, n = 0, 0
  end
  return lifetime(bucket_wait(before, at, p, tick, now)), bucket_state(before, at, q, tick, last, n)
end

local function bucket_refund(state, now, permits, stamp, argv, i, steps_back, granted)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local _, at, last = bucket_aged(state, now, p, q, tick, burst, steps_back)
  if last > 0 or stamp > now then
    return bucket_cancel(state, now, permits, stamp, argv, i, steps_back, granted)
  end
  local elapsed = math.max(0, at - floor_div(stamp, tick))
  if elapsed >= ceil_div(granted * q, p) then
    return 0, nil
  end
  local units = math.min(permits * q, granted * q - elapsed * p)
  return bucket_lessen(state, now, units, argv, i, steps_back)
end

local bucket = limits[letter]

-- A bucket without debt keeps its time, if the clock has moved back from it.
local function bucket_lasts(state, now)
  local _, at = bucket_read(state)
  return at and at - now or 0
end

bucket.reward, bucket.debit, bucket.lasts = bucket_reward, bucket_debit, bucket_lasts
-- what has flowed out of a leaky bucket is out: only a waiting request is refunded
bucket.refund = letter == 'l' and bucket_cancel or bucket_refund
