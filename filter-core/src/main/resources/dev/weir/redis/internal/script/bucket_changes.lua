-- How refunds, rewards and debits change a bucket's debt; bucket.lua states the rules.

local function bucket_lessen(state, now, units, argv, i, steps_back, kind)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local debt, at, last, n = bucket_aged(state, now, p, q, tick, burst, steps_back, kind)
  if debt == 0 then
    return 0, nil
  end
  debt = math.max(0, debt - units)
  local owed = bucket_behind(debt, at, last, n, p, q, tick, burst * q, kind)
  local reset = bucket_wait(owed, at, p, tick, now)
  return lifetime(reset), bucket_state(debt, at, q, tick, last, n)
end

local function bucket_reward(state, now, permits, argv, i, steps_back, kind)
  return bucket_lessen(state, now, permits * tonumber(argv[i + 2]), argv, i, steps_back, kind)
end

local function bucket_debit(state, now, permits, argv, i, steps_back, kind)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local debt, at, last, n = bucket_aged(state, now, p, q, tick, burst, steps_back, kind)
  local room = floor_div(math.max(0, tokens.most(burst * q) - debt), q)
  debt = debt + math.min(permits, room) * q
  local owed = bucket_behind(debt, at, last, n, p, q, tick, burst * q, kind)
  return lifetime(bucket_wait(owed, at, p, tick, now)), bucket_state(debt, at, q, tick, last, n)
end

-- Refunds a waiting request that no later request follows. Earlier requests still wait, at the
-- latest until the instant that the debt determines.
local function bucket_cancel(state, now, permits, stamp, argv, i, steps_back, kind)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local full = burst * q
  local debt, at, last, n = bucket_aged(state, now, p, q, tick, burst, steps_back, kind)
  local before = debt - permits * q
  local runs = now + bucket_delay(kind.due(before, debt, full), at, p, tick, now)
  local held = bucket_behind(debt, at, last, n, p, q, tick, full, kind) > debt
  if held or before < 0 or stamp <= now or stamp ~= runs then
    return 0, nil
  end
  last, n = now + bucket_delay(before - kind.left(full, q), at, p, tick, now), 1
  if last == now then
    last, n = 0, 0
  end
  return lifetime(bucket_wait(before, at, p, tick, now)), bucket_state(before, at, q, tick, last, n)
end

local function bucket_refund(state, now, permits, stamp, argv, i, steps_back, granted)
  local p, q, tick = tonumber(argv[i + 1]), tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local burst = tonumber(argv[i + 4])
  local _, at, last = bucket_aged(state, now, p, q, tick, burst, steps_back, tokens)
  if last > 0 or stamp > now then
    return bucket_cancel(state, now, permits, stamp, argv, i, steps_back, tokens)
  end
  local elapsed = math.max(0, at - floor_div(stamp, tick))
  if elapsed >= ceil_div(granted * q, p) then
    return 0, nil
  end
  local units = math.min(permits * q, granted * q - elapsed * p)
  return bucket_lessen(state, now, units, argv, i, steps_back, tokens)
end

local function bucket_changed_by(kind, limit)
  limit.reward = function(state, now, permits, argv, i, steps_back)
    return bucket_reward(state, now, permits, argv, i, steps_back, kind)
  end

  limit.debit = function(state, now, permits, argv, i, steps_back)
    return bucket_debit(state, now, permits, argv, i, steps_back, kind)
  end
end

bucket_changed_by(tokens, limits.B)
bucket_changed_by(leaky, limits.l)

limits.B.refund = bucket_refund

limits.l.refund = function(state, now, permits, stamp, argv, i, steps_back)
  return bucket_cancel(state, now, permits, stamp, argv, i, steps_back, leaky)
end
