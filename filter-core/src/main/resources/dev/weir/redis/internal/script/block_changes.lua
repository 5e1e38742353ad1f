-- Changes other than decisions, for a state that may begin with a block; see blocks.lua.

-- Calls the limit's refund, with the block taken off. `granted` is all permits of the acquisition.
-- It defaults to the refunded permits.
local function refund(limit, text, now, permits, stamp, argv, i, steps_back, granted)
  local state, ends, length = block_off(text, now, steps_back)
  granted = granted or permits
  local ttl, changed = limit.refund(state, now, permits, stamp, argv, i, steps_back, granted)
  return block_on(ttl, changed, ends, length, now)
end

-- Calls the limit's reward, with the block taken off.
local function reward(limit, text, now, permits, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = limit.reward(state, now, permits, argv, i, steps_back)
  return block_on(ttl, changed, ends, length, now)
end

-- Calls the limit's debit, with the block taken off.
local function debit(limit, text, now, permits, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = limit.debit(state, now, permits, argv, i, steps_back)
  return block_on(ttl, changed, ends, length, now)
end

-- Calls the limit's renew, with the block taken off.
local function renew(limit, text, now, stamp, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = limit.renew(state, now, stamp, argv, i, steps_back)
  return block_on(ttl, changed, ends, length, now)
end

-- (text, now, length, steps_back) -> ttl, text': blocks for so long from now. A block that does not
-- end sooner stays, and nothing changes. The driver determines how long the limit's own state is
-- kept.
local function block(text, now, length, steps_back)
  local state, ends = block_off(text, now, steps_back)
  if ends >= now + length then
    return 0, nil
  end
  return block_on(0, block_same(state) or '', now + length, length, now)
end

-- Calls the limit's settle_lease, with the block taken off.
local function settle_lease(limit, text, now, lease, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local carried, ttl, changed = limit.settle_lease(state, now, lease, argv, i, steps_back)
  return carried, block_on(ttl, changed, ends, length, now)
end

-- Calls the limit's lend, with the block taken off. A blocked counter lends nothing.
local function lend(limit, text, now, wanted, argv, i, steps_back)
  local state, ends = block_off(text, now, steps_back)
  if ends > 0 then
    wanted = 0
  end
  return limit.lend(state, now, wanted, argv, i, steps_back)
end

-- Settles a lease, and lends anew: -> lent, remaining, reset, stamp, carried, ends, length, ttl,
-- text'. Remaining and reset describe the state after that. A `lent` of -2 is a time outside of
-- what argv describes.
local function renew_lease(limit, text, now, lease, wanted, argv, i, steps_back)
  local carried, ttl, changed = settle_lease(limit, text, now, lease, argv, i, steps_back)
  local lent, ends, length, lent_ttl, lent_changed =
    lend(limit, changed or text, now, wanted, argv, i, steps_back)
  if lent_changed then
    ttl, changed = lent_ttl, lent_changed
  end
  local fits, remaining, _, reset, stamp = decide(limit, changed or text, now, 0, argv, i, steps_back)
  if fits == -2 then
    lent = -2
  end
  return lent, remaining, reset, stamp, carried, ends, length, ttl, changed
end
