-- The block, which precedes the state of any limit.
--
-- Model. A counter can be blocked until some time. Until then every request is denied, whatever its
-- limit has left. The arithmetic of a limit does not know of blocks. Drivers call a limit through
-- the functions here. They take the block off the stored text, and put it back before the text to
-- store.
--
-- State. '!ends:length;' before the limit's own state, in microseconds. In a sorted set the block
-- is the first member. A block that has ended counts as none, and the next write removes it. A
-- block of another format counts as nothing, with all that follows it.
--
-- Clock. Time that moves back lengthens a block by as much. If its end is more than two lengths
-- away, the clock has jumped by more than one. The block then ends its length from now. So the jump
-- does not lock out requests for its own length. A denial stores this too.
--
-- Reply. A blocked counter never grants, so no refund needs the stamp of its reply. In its place is
-- minus the rest of the block. No stamp is negative. So a reply needs no further number, and only
-- a blocked counter costs anything.
--
-- Example. '!65000000:60000000;1:70000000' is a window with one used permit. At 10000000, one more
-- is denied: retry 55000000, stamp -55000000. If the window were used up, retry would be the
-- window's own 60000000.

-- The first byte of the state of a blocked counter.
local BLOCKED = byte('!')

-- 366 days, the longest block.
local LONGEST_BLOCK = 31622400000000

-- Returns when a block ends, its length, and the text after it; nil if the block is not ours.
local function block_read(text)
  local ends, length, state = string.match(text, '^!(%d+):(%d+);(.*)$')
  ends, length = whole(ends), whole(length)
  if not (ends and length) or length == 0 or length > LONGEST_BLOCK then
    return nil
  end
  return ends, length, state
end

-- Returns the limit's own state; the end of the block before it, or 0 for none; its length; and
-- whether the clock has jumped back. In a sorted set, the block is a member.
local function block_off(text, now, steps_back)
  local block = text
  if type(text) == 'table' then
    block = text.block
  end
  if not block or byte(block) ~= BLOCKED then
    return text, 0, 0, false
  end
  local ends, length, state = block_read(block)
  if not ends then
    return nil, 0, 0, false
  end
  if type(text) == 'table' then
    state = text
  end
  if ends <= now then
    return state, 0, 0, false
  end
  if steps_back and ends > now + 2 * length then
    return state, now + length, length, true
  end
  return state, ends, length, false
end

-- Returns what stores a limit's state unchanged, except for the block before it.
local function block_same(state)
  if type(state) == 'table' then
    return { state = state, ended = 0, longest = state.longest }
  end
  return state
end

-- Returns how long to keep a changed state, and what to store.
local function block_on(ttl, changed, ends, length, now)
  if not changed or ends == 0 then
    return ttl, changed
  end
  local block = string.format('!%.0f:%.0f;', ends, length)
  ttl = math.max(ttl, lifetime(ends - now))
  if type(changed) == 'table' then
    changed.block = block
    return ttl, changed
  end
  return ttl, block .. changed
end

-- Calls the limit's decide, with the block taken off. While a block lasts, a request that fits the
-- limit is evaluated without taking. Without patience, a request runs now or not at all.
local function decide(limit, text, now, permits, argv, i, steps_back, patience)
  patience = patience or 0
  local block = text
  if sorted[limit] then
    block = text.block
  end
  if not block or byte(block) ~= BLOCKED then
    return limit.decide(text, now, permits, argv, i, steps_back, patience)
  end
  local state, ends, length, jumped = block_off(text, now, steps_back)
  local fits, remaining, retry, reset, stamp, ttl, changed =
    limit.decide(state, now, permits, argv, i, steps_back, patience)
  if ends == 0 or fits == -2 then
    return fits, remaining, retry, reset, stamp, ttl, changed
  end
  if fits == 1 then
    fits, remaining, retry, reset, stamp, ttl, changed =
      limit.decide(state, now, 0, argv, i, steps_back, patience)
    fits = 0
  end
  if fits == 0 then
    retry = math.max(retry, ends - now)
  end
  if jumped and not changed then
    ttl, changed = lifetime(reset), block_same(state)
  end
  reset = math.max(reset, ends - now)
  return fits, 0, retry, reset, now - ends, block_on(ttl, changed, ends, length, now)
end

--changes

-- Calls a limit's refund, reward, debit or renew, with the block taken off. The other arguments are
-- those of that function after the time.
local function unblocked(change, text, now, steps_back, ...)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = change(state, now, ...)
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

-- Calls a limit's reset: returns what is left of a counter and not of its block, or nil.
local function state_after_reset(limit, text, now, steps_back)
  local state = block_off(text, now, steps_back)
  return limit.reset(state, now, steps_back)
end

-- Settles a lease, and lends anew: -> lent, remaining, reset, stamp, carried, ends, length, ttl,
-- text'. Remaining and reset describe the state after that. A `lent` of -2 is a time outside of
-- what argv describes. A blocked counter lends nothing.
local function renew_lease(limit, text, now, lease, wanted, argv, i, steps_back)
  local state, blocked, block_length = block_off(text, now, steps_back)
  local carried, ttl, changed = limit.settle_lease(state, now, lease, argv, i, steps_back)
  ttl, changed = block_on(ttl, changed, blocked, block_length, now)

  state, blocked = block_off(changed or text, now, steps_back)
  if blocked > 0 then
    wanted = 0
  end
  local lent, ends, length, lent_ttl, lent_changed =
    limit.lend(state, now, wanted, argv, i, steps_back)
  if lent_changed then
    ttl, changed = lent_ttl, lent_changed
  end
  local fits, remaining, _, reset, stamp =
    limit.decide(lent_changed or state, now, 0, argv, i, steps_back, 0)
  if blocked > 0 then
    remaining, reset = 0, math.max(reset, blocked - now)
  end
  if fits == -2 then
    lent = -2
  end
  return lent, remaining, reset, stamp, carried, ends, length, ttl, changed
end
