-- The block, which stands before every limit.
--
-- Model. A counter may be blocked until some time: until then everything is denied, whatever its
-- limit has left. The arithmetic of a limit knows nothing of it. Drivers ask a limit through the
-- functions here: they take the block off what is stored, and put it back before what is to be.
--
-- State. '!ends:length;' before the limit's own state, in microseconds. One that has ended counts as
-- none, and goes with the next write. One that nobody here has written counts as nothing at all, with
-- all that follows it.
--
-- Clock. Time that moves back makes a block longer by as much. When its end is more than two lengths
-- away, the clock has jumped by more than one: the block then ends its length from now, so that
-- nobody is locked out for the length of the jump; this is stored by a denial too.
--
-- Example. '!65000000:60000000;1:70000000' is a window of which one permit is used. At 10000000, one
-- more is denied: retry 55000000. Were the window used up, it would be its own 60000000.

-- 366 days, the longest that anybody may be blocked.
local LONGEST_BLOCK = 31622400000000

-- The limit's own state; the end of the block before it, 0 when there is none; its length; and
-- whether the clock was found to have jumped back.
local function block_off(text, now, steps_back)
  if not text or string.sub(text, 1, 1) ~= '!' then
    return text, 0, 0, false
  end
  local ends, length, state = string.match(text, '^!(%d+):(%d+);(.*)$')
  ends, length = whole(ends), whole(length)
  if not (ends and length) or length > LONGEST_BLOCK then
    return nil, 0, 0, false
  end
  if ends <= now then
    return state, 0, 0, false
  end
  if steps_back and ends > now + 2 * length then
    return state, now + length, length, true
  end
  return state, ends, length, false
end

-- How long to keep, and what to store, when a limit's state is to be changed.
local function block_on(ttl, changed, ends, length, now)
  if not changed or ends == 0 then
    return ttl, changed
  end
  local text = string.format('!%.0f:%.0f;', ends, length) .. changed
  return math.max(ttl, lifetime(ends - now)), text
end

-- The limit's decide, behind the block. What fits the limit is looked at without taking. Without
-- patience, a request runs now or not at all.
local function decide(limit, text, now, permits, argv, i, steps_back, patience)
  patience = patience or 0
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
    ttl, changed = lifetime(reset), state
  end
  reset = math.max(reset, ends - now)
  return fits, 0, retry, reset, stamp, block_on(ttl, changed, ends, length, now)
end

-- The limit's give_back, behind the block: of all that was granted, unless told otherwise.
local function give_back(limit, text, now, permits, stamp, argv, i, steps_back, granted)
  local state, ends, length = block_off(text, now, steps_back)
  granted = granted or permits
  local ttl, changed = limit.give_back(state, now, permits, stamp, argv, i, steps_back, granted)
  return block_on(ttl, changed, ends, length, now)
end

-- The limit's reward, behind the block.
local function reward(limit, text, now, permits, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = limit.reward(state, now, permits, argv, i, steps_back)
  return block_on(ttl, changed, ends, length, now)
end

-- The limit's owe, behind the block.
local function owe(limit, text, now, permits, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = limit.owe(state, now, permits, argv, i, steps_back)
  return block_on(ttl, changed, ends, length, now)
end

-- The limit's renew, behind the block.
local function renew(limit, text, now, stamp, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local ttl, changed = limit.renew(state, now, stamp, argv, i, steps_back)
  return block_on(ttl, changed, ends, length, now)
end

-- (text, now, length, steps_back) -> ttl, text': blocked for so long from now. One that ends later
-- stands, and nothing changes. How long the limit's own state is to be kept is for the driver to see.
local function block(text, now, length, steps_back)
  local state, ends = block_off(text, now, steps_back)
  if ends >= now + length then
    return 0, nil
  end
  return block_on(0, state or '', now + length, length, now)
end

-- The limit's settle_lease, behind the block.
local function settle_lease(limit, text, now, lease, argv, i, steps_back)
  local state, ends, length = block_off(text, now, steps_back)
  local carried, ttl, changed = limit.settle_lease(state, now, lease, argv, i, steps_back)
  return carried, block_on(ttl, changed, ends, length, now)
end

-- The limit's lend, behind the block: what is blocked lends nothing.
local function lend(limit, text, now, wanted, argv, i, steps_back)
  local state, ends = block_off(text, now, steps_back)
  if ends > 0 then
    wanted = 0
  end
  return limit.lend(state, now, wanted, argv, i, steps_back)
end

-- Settles a lease, and lends anew: -> lent, remaining, reset, stamp, carried, ends, length, ttl, text'.
-- Remaining and reset are what holds after that; a lent of -2 is a time outside of what argv describes.
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
