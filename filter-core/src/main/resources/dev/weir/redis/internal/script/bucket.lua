-- The token bucket in full, and the leaky bucket, which is one that asks for patience. Most decisions
-- of a token bucket have a shorter way, plain_bucket.lua.
--
-- Model. A bucket of B permits refills at p units per tick, where a permit is q units; p, q and the
-- tick are whole numbers, so nothing is ever rounded (see BucketUnits). What is kept is the debt:
-- how many units the bucket lacks. It falls by p each tick, down to 0. A request for n permits raises
-- it by n*q, and runs when the debt, with its own part, is at most B*q: at once where that is so
-- already. A leaky bucket ('l') holds B permits and lets them out one by one: a request runs when all
-- that was let in before it has flowed out, when the debt without its own part is 0.
--
-- Patience. Whoever can wait is let in ahead of time: the debt is raised now, by more than the bucket
-- holds if need be, and what is answered in 'retry' is how long to wait before running. Requests run
-- in the order in which they were let in, and at the instants at which they run the promise holds as
-- if they had asked then. A token bucket lets in whoever need not wait longer than his patience. A
-- leaky one in addition never holds more than B permits: what is over overflows.
--
-- Giving back. Those who wait have their instants, and keep them. Whoever cancels gives his permits
-- back if nobody was let in after him: the stamp of his grant, the instant at which he was to run,
-- is then what the debt without him comes to. Otherwise they are spent, for they hold up who comes
-- after him; and so they are where the debt no longer says when he runs (see below), since it does
-- not say then when whoever is before him runs either. A give-back of somebody who has run would let
-- the debt fall faster than those who wait run, and others be let in beside them, so it counts only
-- while nobody waits; in a leaky bucket it never does, what has flowed out is out.
--
-- Late give-backs. Time has repaid some of a debt by the time a grant is given back, and what is
-- repaid is not given back too: others may have taken it since. So of n permits granted so long ago,
-- no more come back than n less what that time repays. Were the grant undone, the debt would be less
-- by at least that: the debt without it falls as fast, until it stands at 0.
--
-- The line. Where everything is as it was, the debt says when the last of those who wait runs. When
-- the rate has become faster it would be paid sooner, and so it would after a reward; and they keep
-- their instants. So the debt is at least what is paid at the present rate by the last of them and what
-- is then left: a token bucket is empty, and a leaky one has all of his permits in it, which flow out
-- from then on. Newcomers run after him, and a reward in the meantime counts only for what is owed
-- beyond. While he waits, his instant is kept and not that debt, for at another rate it would be
-- another: a rate that was fast for a minute must not leave the debt of a slow one.
--
-- State. 'debt:at:q', or 'debt:at:q:last:n': the debt in units of 1/q permit, the time of that debt
-- in microseconds, a multiple of the tick, and the q that the debt is counted in, so that a limit
-- whose numbers have changed can convert it; and while somebody waits, until when the last of them
-- does and how many permits he has. Consumption carries over in permits, rounded up: a change mints
-- nothing. A debt may be larger than the bucket, when the bucket has become smaller, when somebody
-- waits, or when more was spent than reserved. The rate that wrote is not kept: time since then is
-- paid for at the rate that asks, and the key lives as long as that needs.
--
-- Clock. Time that stands or moves back pays nothing, and the debt keeps its later time. When it is
-- later than now by more than the time B takes to refill, the clock has jumped: the debt is then
-- dated to now, so that nobody is locked out for the length of the jump, and so is who waits: he
-- does so by no clock, and runs as long after as before. This alone is stored by a denial too:
-- unless it is stored, the next request finds the clock as far away as before.
--
-- ARGV. p, q, tick in microseconds, B.
--
-- Example. 3 per second, burst 6: p = 3, q = 1000000, tick 1. State nil, now 5000000, 6 permits:
-- fits, remaining 0, reset 2000000, state '6000000:5000000:1000000'. At 5333333 one permit: 999999
-- units are paid, 5000001 + 1000000 > 6000000 by 1 unit, which takes ceil(1/3) = 1 tick: denied,
-- retry 1, nothing stored. At 5333334 it fits. Had the rate become 1 per minute at 5333333, p = 1 and
-- q = 60000000: 6 permits are 360000000 units, of which 333333 are paid: denied, reset 359666667,
-- nothing stored, and the key, which the old rate gave 3 seconds, now lives for 361.
--
-- Example. The same bucket, state '6000000:5000000:1000000', now 5000000, one permit with a patience
-- of a second: 1000000 units too many take 333334 ticks: fits, retry 333334, stamp 5333334, state
-- '7000000:5000000:1000000:5333334:1'. Given back at 5100000: the debt is 6700000, over by 700000,
-- which is paid at 5333334, the stamp; so the debt becomes 5700000.

local function bucket_units(debt, from, to)
  local permits = floor_div(debt, from)
  local rest = math.fmod(debt, from)
  local units = 0
  if rest > 0 then
    -- inexact where both are large, so a little is added: never less than the truth
    units = math.min(to, math.ceil(rest / from * to * (1 + 2 ^ -50)) + 1)
  end
  return permits, units
end

-- What differs between the two. `due`: how many units must be paid before a request runs that raises
-- the debt from so much to so much. `most`: the greatest debt that may be made; in a token bucket, what
-- can be counted exactly together with one full bucket. `left`: what is left of the debt when the last
-- of those who wait runs, with so many units.
local tokens = {
  due = function(_, wanted, full)
    return wanted - full
  end,
  most = function(full)
    return EXACT - 1 - full
  end,
  left = function(full)
    return full
  end,
}

local leaky = {
  due = function(debt)
    return debt
  end,
  most = function(full)
    return full
  end,
  left = function(_, units)
    return units
  end,
}

-- No less than what holds newcomers back until the last of those who wait has run, with n permits.
local function bucket_behind(debt, at, last, n, p, q, tick, full, kind)
  if last == 0 then
    return debt
  end
  local ticks = ceil_div(last, tick) - at
  if ticks <= 0 then
    return debt
  end
  local left = kind.left(full, n * q)
  -- his wait was rounded up to whole ticks: a debt that is paid within the last of them is his own
  if debt > left + (ticks - 1) * p then
    return debt
  end
  return math.min(left + ticks * p, tokens.most(full))
end

-- What a state says, or nil where there is none that has been written here.
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

-- The debt and its time in ticks, as of now; until when somebody waits, 0 when nobody does, and with
-- how many permits; and whether the clock was found to have jumped back.
local function bucket_aged(state, now, p, q, tick, burst, steps_back, kind)
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
    debt, last, n = bucket_behind(debt, at, last, n, p, q, tick, burst * q, kind), 0, 0
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

-- How long from now until so many units, owed as of `at`, are paid.
local function bucket_wait(units, at, p, tick, now)
  local time = micros(ceil_div(units, p), tick) + (at * tick - now)
  if time < 0 then
    return 0
  end
  return time
end

-- As bucket_wait; no debt is no wait, even where the clock has moved back.
local function bucket_delay(units, at, p, tick, now)
  if units <= 0 then
    return 0
  end
  return bucket_wait(units, at, p, tick, now)
end

local function bucket_decide(state, now, permits, argv, i, steps_back, patience, kind)
  local p, q, tick, burst = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 3] + 0, argv[i + 4] + 0
  local full = burst * q
  local debt, at, last, n, jumped = bucket_aged(state, now, p, q, tick, burst, steps_back, kind)
  local owed = bucket_behind(debt, at, last, n, p, q, tick, full, kind)
  local fits, retry, stamp = 1, 0, 0
  if permits > burst then
    fits = -1
  elseif permits > 0 then
    local wanted = owed + permits * q
    local delay = bucket_delay(kind.due(owed, wanted, full), at, p, tick, now)
    local over = bucket_delay(wanted - kind.most(full), at, p, tick, now)
    if over > 0 or delay > patience then
      fits, retry = 0, math.max(over, delay - patience)
    else
      debt, retry, stamp = debt + permits * q, delay, now + delay
      if delay > 0 then
        last, n = stamp, permits
      end
      owed = bucket_behind(debt, at, last, n, p, q, tick, full, kind)
    end
  end
  local remaining, reset = 0, 0
  if owed < full and bucket_delay(kind.due(owed, owed, full), at, p, tick, now) <= patience then
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

local function bucket_of(kind)
  return {
    numbers = 4,

    decide = function(state, now, permits, argv, i, steps_back, patience)
      return bucket_decide(state, now, permits, argv, i, steps_back, patience, kind)
    end,
  }
end

limits.B = bucket_of(tokens)
limits.l = bucket_of(leaky)
