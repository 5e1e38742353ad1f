-- Driver: changes one or more counters of one slot, other than by a decision.
--
-- KEYS     one for each counter
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- then for each counter: the limit's letter, permits, the limit's numbers
-- then the arguments of the change; the change itself is the last:
--
--   spent, stamps, reconcile
--       Compares the permits that were acquired with those that were spent of each counter. Unspent
--       permits are refunded, unless the counter is gone, or full again, or past its window. Permits
--       spent beyond the acquisition become debt, and delay later requests.
--   stamps, renew
--       Starts the ttl of held permits anew, unless they have ended.
--   reward
--       Returns permits, whichever requests took them.
--   micros, block
--       Denies everything for so long, up to 366 days. A block that does not end sooner stays. The
--       limit's stored state lives as long as before.
--   unblock
--       Lifts a block. The limit's stored state stays, and lives as long as without the block. A
--       counter that is not blocked does not change.
--   reset
--       Forgets the counter, and its block. What is out of a bucket is not forgotten: nodes spend
--       it, whatever happens to the key. Except for that, a bucket that has lent is full, until the
--       lease is settled or over; see leases.lua.
--   ends, out, kept, back, lease
--       Settles a node's lease, and lends it up to so many permits anew; 0 to settle alone. The
--       arguments are the lease to settle: its name, the permits that are out, those kept and those
--       returned; 0 each if there is none.
--
-- The stamps are those of the acquisitions, one for each counter. The last five changes are of one
-- counter.
--
-- Reply: how many counters changed; of a renewal, 1 or 0 for each counter. It is { -2, now }, and nothing is written, if the time is
-- outside the bounds that were sent. Of a lease it is { lent, remaining, 0, reset, stamp, carried,
-- ends, length }. Remaining and reset are as in decide.lua, after settling and lending. Permits
-- that are out do not remain. A refund of permits that were spent from this lease names the stamp.
--
-- A script of one counter has KEYS[1] literally in every call, since some proxies require it.
--
-- Example: EVALSHA sha 1 shop:{c3ViamVjdA}b:rows '' b 1 1 10000 1 100 250 0 reconcile

--include numbers
--include clock
--include prelude with changes
--include keys
--include blocks with changes
--include limits with changes

local change, last = ARGV[#ARGV], #ARGV - 1

if change == 'lease' then
  local limit = limits[ARGV[2]]
  local lease = { ends = ARGV[last - 3] + 0, out = ARGV[last - 2] + 0 }
  lease.kept, lease.back = ARGV[last - 1] + 0, ARGV[last] + 0
  local lent, remaining, reset, stamp, carried, ends, length, ttl, changed =
    renew_lease(limit, read(limit, 1), now, lease, ARGV[3] + 0, ARGV, 3, steps_back)
  if lent == -2 then
    return { -2, now }
  end
  keep(limit, 1, changed, ttl, reset)
  return { lent, remaining, 0, reset, math.max(stamp, now), carried, ends, length }
end

if change == 'reset' then
  local limit = limits[ARGV[2]]
  local state = limit.reset and state_after_reset(limit, read(limit, 1), now, steps_back)
  if not state then
    return redis.call('DEL', KEYS[1])
  end
  write(limit, 1, state, math.max(1000, redis.call('PTTL', KEYS[1])))
  return 1
end

-- Of each counter: its limit, and the changed state. Of each key: how long it must live. A renewal
-- may have one key several times, for permits whose ttl was changed in between.
local kinds, states, lives = {}, {}, {}
local i, stamps = 2, last - #KEYS
for k = 1, #KEYS do
  local limit, permits = limits[ARGV[i]], ARGV[i + 1] + 0
  local state, ttl, changed = read(limit, k), 0, nil
  if change == 'reconcile' then
    local unspent, stamp = permits - ARGV[stamps], ARGV[stamps + k] + 0
    if unspent > 0 then
      ttl, changed = unblocked(
        limit.refund, state, now, steps_back, unspent, stamp, ARGV, i + 1, steps_back, permits)
    elseif unspent < 0 then
      ttl, changed =
        unblocked(limit.debit, state, now, steps_back, -unspent, ARGV, i + 1, steps_back)
    end
  elseif change == 'renew' then
    local stamp = ARGV[stamps + k] + 0
    ttl, changed = unblocked(limit.renew, state, now, steps_back, stamp, ARGV, i + 1, steps_back)
  elseif change == 'reward' then
    ttl, changed = unblocked(limit.reward, state, now, steps_back, permits, ARGV, i + 1, steps_back)
  elseif change == 'block' then
    ttl, changed = block(state, now, ARGV[last] + 0, steps_back)
    ttl = math.max(ttl, redis.call('PTTL', KEYS[k]))
  elseif change == 'unblock' then
    ttl, changed = lift_block(limit, state, now, ARGV, i + 1, steps_back)
  end
  if ttl == -2 then
    return { -2, now }
  end
  kinds[k], states[k] = limit, changed
  lives[KEYS[k]] = math.max(lives[KEYS[k]] or 0, ttl)
  i = i + 2 + limit.numbers
end

local changes, renewed = 0, {}
for k = 1, #KEYS do
  renewed[k] = states[k] and 1 or 0
  if states[k] == '' then
    changes = changes + redis.call('DEL', KEYS[k])
  elseif states[k] then
    write(kinds[k], k, states[k], lives[KEYS[k]])
    changes = changes + 1
  end
end
return change == 'renew' and renewed or changes
