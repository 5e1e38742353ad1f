-- The block, which stands before every limit.
--
-- Model. A counter may be blocked until some time: until then everything is denied, whatever its
-- limit has left. The arithmetic of a limit knows nothing of it. Drivers ask a limit through the
-- functions here: they take the block off what is stored, and put it back before what is to be.
--
-- State. '!ends:length;' before the limit's own state, in microseconds; in a sorted set it is the first
-- member. One that has ended counts as none, and goes with the next write. One that nobody here has
-- written counts as nothing at all, with all that follows it.
--
-- Clock. Time that moves back makes a block longer by as much. When its end is more than two lengths
-- away, the clock has jumped by more than one: the block then ends its length from now, so that
-- nobody is locked out for the length of the jump; this is stored by a denial too.
--
-- Example. '!65000000:60000000;1:70000000' is a window of which one permit is used. At 10000000, one
-- more is denied: retry 55000000. Were the window used up, it would be its own 60000000.

-- What the state of a counter that is blocked begins with.
local BLOCKED = byte('!')

-- 366 days, the longest that anybody may be blocked.
local LONGEST_BLOCK = 31622400000000

-- When a block ends, its length, and what stands behind it; nil where it is not ours.
local function block_read(text)
  local ends, length, state = string.match(text, '^!(%d+):(%d+);(.*)$')
  ends, length = whole(ends), whole(length)
  if not (ends and length) or length > LONGEST_BLOCK then
    return nil
  end
  return ends, length, state
end

-- The text that may begin with a block: of a sorted set, the member that is one, or nil.
local function block_text(state)
  if type(state) == 'table' then
    return state.block
  end
  return state
end

-- The limit's own state; the end of the block before it, 0 when there is none; its length; and
-- whether the clock was found to have jumped back.
local function block_off(text, now, steps_back)
  local block = block_text(text)
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

-- What stores a limit's state as it is, but for the block before it.
local function block_same(state)
  if type(state) == 'table' then
    return { state = state, ended = 0, longest = state.longest }
  end
  return state
end

-- How long to keep, and what to store, when a limit's state is to be changed.
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

-- The limit's decide, behind the block. What fits the limit is looked at without taking. Without
-- patience, a request runs now or not at all.
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
  return fits, 0, retry, reset, stamp, block_on(ttl, changed, ends, length, now)
end
