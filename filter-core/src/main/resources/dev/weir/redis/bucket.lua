-- The token bucket.
--
-- Model. A bucket of B permits refills at p units per tick, where a permit is q units; p, q and the
-- tick are whole numbers, so nothing is ever rounded (see BucketUnits). What is kept is the debt:
-- how many units the bucket lacks. It falls by p each tick, down to 0, and a request for n permits
-- fits when debt + n*q <= B*q.
--
-- State. 'debt:at:q': the debt in units of 1/q permit, the time of that debt in microseconds, a
-- multiple of the tick, and the q that the debt is counted in, so that a limit whose numbers have
-- changed can convert it. Consumption carries over in permits, rounded up: a change mints nothing. A
-- debt may be larger than the bucket, when the bucket has become smaller. The rate that wrote is not
-- kept: time since then is paid for at the rate that asks, and the key lives as long as that needs.
--
-- Clock. Time that stands or moves back pays nothing, and the debt keeps its later time. When it is
-- later than now by more than the time B takes to refill, the clock has jumped: the debt is then
-- dated to now, so that nobody is locked out for the length of the jump. This alone is stored by a
-- denial too: unless it is stored, the next request finds the clock as far away as before.
--
-- ARGV. p, q, tick in microseconds, B.
--
-- Example. 3 per second, burst 6: p = 3, q = 1000000, tick 1. State nil, now 5000000, 6 permits:
-- fits, remaining 0, reset 2000000, state '6000000:5000000:1000000'. At 5333333 one permit: 999999
-- units are paid, 5000001 + 1000000 > 6000000 by 1 unit, which takes ceil(1/3) = 1 tick: denied,
-- retry 1, nothing stored. At 5333334 it fits. Had the rate become 1 per minute at 5333333, p = 1 and
-- q = 60000000: 6 permits are 360000000 units, of which 333333 are paid: denied, reset 359666667,
-- nothing stored, and the key, which the old rate gave 3 seconds, now lives for 361.

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

-- The debt and its time in ticks, as of now; and whether the clock was found to have jumped back.
local function bucket_aged(state, now, p, q, tick, burst, steps_back)
  local ticks = floor_div(now, tick)
  local debt, at, from
  if state then
    debt, at, from = string.match(state, '^(%d+):(%d+):(%d+)$')
    debt, at, from = whole(debt), whole(at), whole(from)
  end
  if not (debt and at and from and from > 0) then
    return 0, ticks, false
  end
  if from ~= q then
    local permits, units = bucket_units(debt, from, q)
    -- no more than can be counted exactly together with one full bucket
    debt = math.min(permits, floor_div(EXACT - 1 - burst * q, q) - 1) * q + units
  end
  at = ceil_div(at, tick)
  if at >= ticks then
    if steps_back and at - ticks > ceil_div(burst * q, p) then
      return debt, ticks, true
    end
    return debt, at, false
  end
  local elapsed = ticks - at
  if elapsed >= ceil_div(debt, p) then
    return 0, ticks, false
  end
  return debt - elapsed * p, ticks, false
end

local function bucket_state(debt, at, q, tick)
  return string.format('%.0f:%.0f:%.0f', debt, at * tick, q)
end

-- How long from now until so many units, owed as of `at`, are paid.
local function bucket_wait(units, at, p, tick, now)
  local time = micros(ceil_div(units, p), tick) + at * tick - now
  if time < 0 then
    return 0
  end
  return time
end

local function bucket_reward(state, now, permits, argv, i, steps_back)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local debt, at = bucket_aged(state, now, p, q, tick, burst, steps_back)
  if debt == 0 then
    return 0, nil
  end
  debt = math.max(0, debt - permits * q)
  local reset = bucket_wait(debt, at, p, tick, now)
  return lifetime(reset), bucket_state(debt, at, q, tick)
end

limits.b = {
  numbers = 4,

  decide = function(state, now, permits, argv, i, steps_back)
    local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
    local burst = tonumber(argv[i + 4])
    local full = burst * q
    local debt, at, jumped = bucket_aged(state, now, p, q, tick, burst, steps_back)
    local fits, retry = 1, 0
    if permits > burst then
      fits = -1
    elseif permits > 0 and debt + permits * q > full then
      fits = 0
      retry = bucket_wait(debt + permits * q - full, at, p, tick, now)
    elseif permits > 0 then
      debt = debt + permits * q
    end
    local remaining = 0
    if debt < full then
      remaining = floor_div(full - debt, q)
    end
    local reset = 0
    if debt > 0 then
      reset = bucket_wait(debt, at, p, tick, now)
    end
    if jumped or (fits == 1 and permits > 0) then
      return fits, remaining, retry, reset, 0, lifetime(reset), bucket_state(debt, at, q, tick)
    end
    return fits, remaining, retry, reset, 0, 0, nil
  end,

  give_back = function(state, now, permits, stamp, argv, i, steps_back)
    return bucket_reward(state, now, permits, argv, i, steps_back)
  end,

  reward = bucket_reward,
}
