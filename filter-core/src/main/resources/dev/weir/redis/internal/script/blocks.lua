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
-- Example. '!65000000:60000000;1:70000000' is a window with one used permit. At 10000000, one more
-- is denied: retry 55000000. If the window were used up, retry would be the window's own 60000000.

-- The first byte of the state of a blocked counter.
local BLOCKED = byte('!')

-- 366 days, the longest block.
local LONGEST_BLOCK = 31622400000000

-- Returns when a block ends, its length, and the text after it; nil if the block is not ours.
local function block_read(text)
  local ends, length, state = string.match(text, '^!(%d+):(%d+);(.*)$')
  ends, length = whole(ends), whole(length)
  if not (ends and length) or length > LONGEST_BLOCK then
    return nil
  end
  return ends, length, state
end

-- Returns the text that may begin with a block. For a sorted set, that is the member that is a
-- block, or nil.
local function block_text(state)
  if type(state) == 'table' then
    return state.block
  end
  return state
end

-- Returns the limit's own state; the end of the block before it, or 0 for none; its length; and
-- whether the clock has jumped back.
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
  return fits, 0, retry, reset, stamp, block_on(ttl, changed, ends, length, now)
end
