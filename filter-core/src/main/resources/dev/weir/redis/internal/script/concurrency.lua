-- The concurrency limit.
--
-- Model. At most N permits are held at once. An acquisition stores an id, so many permits, and the
-- time at which its ttl ends. The caller has drawn the id, and no other acquisition has it. A
-- release ends the acquisition. That time ends it too, unless the holder renews before. An
-- acquisition that has ended stays ended. A release that comes twice or late finds no such id, and
-- frees no other permits.
--
-- State. A sorted set. Text is read and written whole. With 1,000 acquisitions that alone takes
-- Redis 45 µs for a denial and 135 µs for an acquisition. A call of these takes 16 and 23 in all.
-- Each permit is a member, and its score is the time at which it ends, in microseconds. The members
-- of acquisition 71 are '71', and '71:2', '71:3' and so on if it has more permits than one. Members
-- with a negative score come before them:
--
--   '!ends:length;'  a block, see blocks.lua; its score is the least of all
--   'ttl'            its score is minus the longest ttl since no permits were held
--
-- Invariant. The number of held permits is the number of members that end after now. This count is
-- kept nowhere else, so it cannot contradict the members. The next permit to return is the first of
-- them. The permit with which so many have returned is found by its rank. Every operation takes a
-- few commands of O(log N), however many permits are held or have ended. The next write removes
-- ended members, all at once.
--
-- Clock. Time that moves back lengthens every ttl by as much. If the last end is more than two of
-- the longest ttl away, the clock has jumped by more than one. Then no permit lasts longer than
-- that ttl from now. No holder loses by that, because it has renewed before now. The jump does not
-- lock out requests for its own length. A denial stores this too. Only this step walks over all
-- permits, and once for each jump. Afterwards the last end is one ttl away.
--
-- Reward. Nothing is consumed, so a reward returns nothing: the permits are with their holders.
--
-- Foreign data. A value of another type counts as nothing. So does a sorted set that does not begin
-- as ours do. The next write replaces it.
--
-- Interface. A state is a table, never nil: the front of the set, its size and its end. `changed`
-- is a table of edits, which `write` applies. Reads are by rank, by score or by member.
--
-- ARGV. N, ttl in microseconds, the id that an acquisition gets.
--
-- Example. N = 2, ttl 30000000. No key, now 5000000, one permit, id 71: fits, remaining 1, reset
-- 30000000, stamp 71; the set is ttl = -30000000, 71 = 35000000. At 6000000 one more, id 72:
-- remaining 0. At 7000000 a third: denied, retry 28000000, nothing stored. At 8000000 a renewal of
-- 71: its score becomes 38000000. At 36000000 the permit of 72 has ended and the third fits: 72 is
-- removed.

local TTL = 'ttl'

-- 366 days, the longest ttl of a permit.
local LONGEST_TTL = 31622400000000

-- The score of a block, before all others.
local FIRST = -EXACT

-- The most members in one command, since Lua can unpack only so many arguments.
local AT_ONCE = 1000

local unpack = unpack or table.unpack

local function holds_none(k, is_foreign)
  return { k = k, heads = 0, size = 0, longest = 0, last = 0, first = 0, is_foreign = is_foreign }
end

-- Returns the member of the nth permit of an acquisition.
local function hold_member(id, nth)
  if nth == 1 then
    return format(WHOLE, id)
  end
  return format(WHOLE .. ':' .. WHOLE, id, nth)
end

local function holds_read(k)
  local front = redis.pcall('ZRANGE', KEYS[k], 0, 2, 'WITHSCORES')
  if front.err then
    stored(front)
    return holds_none(k, true)
  end
  if #front == 0 then
    return holds_none(k, false)
  end
  local state, at = holds_none(k, false), 1
  if byte(front[1]) == BLOCKED then
    if not block_read(front[1]) then
      return holds_none(k, true)
    end
    state.block, state.heads, at = front[1], 1, 3
  end
  if front[at] == TTL and front[at + 1] + 0 < 0 then
    state.longest, state.heads, at = -front[at + 1], state.heads + 1, at + 2
  end
  if not front[at] then
    state.size = state.heads
    return state
  end
  local last = redis.call('ZRANGE', KEYS[k], -1, -1, 'WITHSCORES')
  state.first, state.last, state.size = front[at + 1] + 0, last[2] + 0, redis.call('ZCARD', KEYS[k])
  if state.longest == 0 or state.longest > LONGEST_TTL or state.first <= 0 or state.last >= EXACT then
    return holds_none(k, true)
  end
  return state
end

-- Returns how many permits have ended, how many are held, when the last of them ends, and the
-- longest ttl. If the clock has jumped back, it returns the time after which no permit lasts, else
-- nil.
local function holds_at(state, now, steps_back)
  if state.last <= now then
    return state.size - state.heads, 0, now, 0, nil
  end
  local k, ended = state.k, 0
  if state.first <= now then
    ended = redis.call('ZCOUNT', KEYS[k], format('(-' .. WHOLE, state.longest), format(WHOLE, now))
  end
  local held, latest = state.size - state.heads - ended, now + state.longest
  if steps_back and state.last > latest + state.longest then
    return ended, held, latest, state.longest, latest
  end
  return ended, held, state.last, state.longest, nil
end

-- Returns the end of the permit that has so many before it.
local function hold_end_at(state, before)
  if before == 0 then
    return state.first
  end
  local k, rank = state.k, state.heads + before
  return redis.call('ZRANGE', KEYS[k], rank, rank, 'WITHSCORES')[2] + 0
end

-- Returns edits that change nothing but what holds_at has found.
local function holds_edits(state, now, ended, longest, latest)
  return { state = state, now = now, ended = ended, longest = longest, latest = latest }
end

-- Ends all permits at the latest time, or sooner.
local function holds_shorten(k, latest)
  local later = redis.call('ZRANGEBYSCORE', KEYS[k], format('(' .. WHOLE, latest), '+inf')
  for from = 1, #later, AT_ONCE do
    local moved = {}
    for at = from, math.min(from + AT_ONCE - 1, #later) do
      moved[#moved + 1] = format(WHOLE, latest)
      moved[#moved + 1] = later[at]
    end
    redis.call('ZADD', KEYS[k], unpack(moved))
  end
end

-- Returns the permits of an edit as ZADD takes them, or as ZREM does if the edit has no end.
local function hold_members(edits)
  local members, ends = {}, edits.ends and format(WHOLE, edits.ends)
  for nth = 1, edits.permits do
    if ends then
      members[#members + 1] = ends
    end
    members[#members + 1] = hold_member(edits.id, nth)
  end
  return members
end

-- Returns the new state, for the next decision of the same script; nil if that must read it again.
local function holds_after(edits)
  local state = edits.state
  if not edits.ends or edits.renewed or edits.ended > 0 or edits.latest or state.size == state.heads then
    return nil
  end
  state.size, state.longest = state.size + edits.permits, edits.longest
  state.first, state.last = math.min(state.first, edits.ends), math.max(state.last, edits.ends)
  return state
end

-- Takes back the permits of an acquisition: they end at once. That is a ZADD, as the acquisition
-- was, since Redis may refuse this user every other command.
local function holds_take_back(k, edits)
  if not edits.ends or edits.renewed then
    return
  end
  edits.ends = 1
  redis.call('ZADD', KEYS[k], unpack(hold_members(edits)))
  if edits.state.size == 0 then
    redis.pcall('DEL', KEYS[k])
  end
end

-- Applies the edits. The permits come last, and are taken back if the key gets no time to live. So
-- edits that Redis refuses have acquired nothing.
local function holds_write(k, edits, ttl)
  local state = edits.state
  if state.is_foreign then
    redis.call('DEL', KEYS[k])
  elseif edits.ended > 0 then
    local after = format('(-' .. WHOLE, state.longest)
    redis.call('ZREMRANGEBYSCORE', KEYS[k], after, format(WHOLE, edits.now))
  end
  if state.block and state.block ~= edits.block then
    redis.call('ZREM', KEYS[k], state.block)
  end
  if edits.block and state.block ~= edits.block then
    redis.call('ZADD', KEYS[k], format(WHOLE, FIRST), edits.block)
  end
  if edits.latest then
    holds_shorten(k, edits.latest)
  end
  if edits.longest > 0 and edits.longest ~= state.longest then
    redis.call('ZADD', KEYS[k], format(WHOLE, -edits.longest), TTL)
  end
  if edits.ends then
    redis.call('ZADD', KEYS[k], unpack(hold_members(edits)))
  elseif edits.id then
    redis.call('ZREM', KEYS[k], unpack(hold_members(edits)))
  end
  local kept = redis.pcall('PEXPIRE', KEYS[k], format(WHOLE, ttl))
  if type(kept) == 'table' then
    holds_take_back(k, edits)
    error(kept.err, 0)
  end
  if state.block ~= edits.block then
    return nil
  end
  return holds_after(edits)
end

limits.h = {
  numbers = 3,

  decide = function(state, now, permits, argv, i, steps_back)
    local most, ttl, id = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 3] + 0
    local ended, held, last, longest, latest = holds_at(state, now, steps_back)
    local fits, retry, stamp, edits = 1, 0, 0, nil
    if latest then
      edits = holds_edits(state, now, ended, longest, latest)
    end
    if permits > most then
      fits = -1
    elseif permits > 0 and held + permits > most then
      local ends = hold_end_at(state, ended + held + permits - most - 1)
      fits, retry = 0, math.min(ends, last) - now
    elseif permits > 0 then
      local ends = now + ttl
      held, stamp, longest = held + permits, id, math.max(longest, ttl)
      last = math.max(last, ends)
      edits = holds_edits(state, now, ended, longest, latest)
      edits.id, edits.permits, edits.ends = id, permits, ends
    end
    local reset = 0
    if held > 0 then
      reset = last - now
    end
    if edits then
      return fits, math.max(0, most - held), retry, reset, stamp, lifetime(reset), edits
    end
    return fits, math.max(0, most - held), retry, reset, stamp, 0, nil
  end,
}

sorted[limits.h] = { read = holds_read, write = holds_write, take_back = holds_take_back }

--changes

-- Returns when the acquisition of this id ends, and its number of permits; nil if it has ended.
local function hold_of(state, id, now)
  if state.last <= now then
    return nil
  end
  local k = state.k
  local ends = redis.call('ZSCORE', KEYS[k], hold_member(id, 1))
  if not ends or ends + 0 <= now then
    return nil
  end
  -- it has at most as many as end at the same time; usually these are all its own
  local most = redis.call('ZCOUNT', KEYS[k], ends, ends)
  local permits, over, nth = 1, most + 1, most
  while over - permits > 1 do
    if redis.call('ZSCORE', KEYS[k], hold_member(id, nth)) then
      permits = nth
    else
      over = nth
    end
    nth = floor_div(permits + over, 2)
  end
  return ends + 0, permits
end

-- Refunds all permits of the acquisition with that id: the id is the stamp.
limits.h.refund = function(state, now, _, stamp, argv, i, steps_back)
  local ended, held, last, longest, latest = holds_at(state, now, steps_back)
  local ends, permits = hold_of(state, stamp, now)
  if not ends then
    return 0, nil
  end
  local edits = holds_edits(state, now, ended, longest, latest)
  edits.id, edits.permits = stamp, permits
  if held <= permits then
    last = now
  elseif ends == state.last then
    -- other permits may end at the same time, so the rank determines what is left
    last = math.min(last, hold_end_at(state, state.size - state.heads - permits - 1))
  end
  return lifetime(last - now), edits
end

limits.h.reward = function()
  return 0, nil
end

-- (state, now, stamp, argv, i, steps_back) -> ttl, state': starts the ttl anew. It never ends
-- sooner than before.
limits.h.renew = function(state, now, stamp, argv, i, steps_back)
  local ttl = argv[i + 2] + 0
  local ended, _, last, longest, latest = holds_at(state, now, steps_back)
  local ends, permits = hold_of(state, stamp, now)
  if not ends then
    return 0, nil
  end
  local edits = holds_edits(state, now, ended, math.max(longest, ttl), latest)
  edits.id, edits.permits, edits.renewed = stamp, permits, true
  edits.ends = math.max(math.min(ends, latest or ends), now + ttl)
  return lifetime(math.max(last, edits.ends) - now), edits
end
