-- Driver: many decisions in one call, in the order in which they are sent. It follows
-- keys_of_slot.lua or keys_across.lua.
--
-- Model. Each decision replies as if it had been sent alone, after the decisions before it and at
-- the same time. Stored state is read once. What a decision changes is stored at once. A counter
-- that several decisions use is carried from one to the next. So of many denials of one counter,
-- only the first reads all of it. The later denials of a concurrency limit at most count the ended
-- permits, and find the permit that returns.
--
-- Merging. Equal decisions over one counter arrive as one decision with a repeat count n. As many
-- of them fit as the remaining permits allow. Those are charged in one step. The result is that of
-- n decisions in sequence: only permits distinguish them, and no time passes. The reply is the
-- state of the counter after the last decision that fits. Each earlier decision leaves the permits
-- of one decision more than the next. The caller merges no limits for which this does not hold. A
-- leaky bucket lets one request run at a time. Each acquisition of a concurrency limit has its own
-- id.
--
-- Failure. A decision may fail after others were made. A key is elsewhere, or a right is missing
-- that only this kind of limit needs. What the decision has stored is then taken back, the others
-- go on, and the caller sends it alone. Nothing else fails a batch once a decision is stored.
--
-- KEYS     of all decisions, one after the other; in one slot, or see keys_across.lua
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the number of limits; then for each limit its letter and its numbers
-- then the runs. A run is a series of decisions that differ only in their keys. It has the number
-- of decisions, the number of counters of each, and the repeat count, which exceeds one only for
-- one counter. Then for each counter it has the index of the limit, and permits.
--
-- Reply: { fits, remaining, retry, reset, stamp } of each counter, in order, as in decide.lua. For a
-- decision with a repeat count n, 'fits' is how many of the n fit, from the first on. The 'retry'
-- is that of the others. Each counter of a decision replies { -2, now, 0, 0, 0 } if the time is
-- outside the bounds that were sent for any of them. It replies { -3, 0, 0, 0, 0 } if the decision
-- has failed. That decision was not made, and others may have been.
--
-- Example: EVALSHA sha 2 shop:{dGhlIHN1YmplY3Q}b:api shop:{b3RoZXI}b:api '' 1 b 1 50000 1 5 1 1 3 1
-- 2 1 1 1 1 1 replies { 2, 1, 50000, 200000, now, 1, 4, 0, 50000, now } if both are new. Of three
-- decisions that require 2 of 5 permits, two fit. The third receives its retry time.

--include numbers
--include clock

local reply, fields = {}, 0

-- Most batches are of plain buckets. Each of these limits is five arguments: its letter and numbers.
-- Such decisions are made first, up to the first that is not granted. That one is the one after
-- `done` of the run at ARGV[next_run], over the counter `k`. The place of the first run is right
-- only if all limits are plain.
local next_run, k, done = 3 + 5 * ARGV[2], 1, 0
local plain_so_far = true
for at = 3, next_run - 1, 5 do
  plain_so_far = plain_so_far and ARGV[at] == 'b' and ARGV[at + 3] == '1'
end

while plain_so_far and next_run <= last do
  local decisions, times = ARGV[next_run] + 0, ARGV[next_run + 2] + 0
  local at, permits = 5 * ARGV[next_run + 3] - 2, ARGV[next_run + 4] * times
  local p, q, burst = ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 4] + 0
  plain_so_far = ARGV[next_run + 1] == '1'
  while plain_so_far and done < decisions do
    local key = KEYS[k]
    local state = states[key]
    local fits, remaining, retry, reset, changed
    --include plain_bucket
    local life = fits == 1 and format(WHOLE, math.ceil(reset / 1000) + 1000)
    if fits == 1 and redis.pcall('SET', key, changed, 'PX', life).ok then
      states[key] = changed
      reply[fields + 1], reply[fields + 2], reply[fields + 3] = times, remaining, 0
      reply[fields + 4], reply[fields + 5] = reset, now
      fields, k, done = fields + 5, k + 1, done + 1
    else
      plain_so_far = false
    end
  end
  if plain_so_far then
    next_run, done = next_run + 5, 0
  end
end

if plain_so_far then
  return reply
end

--include prelude
--include keys
--include blocks
--include limits

-- The limits, and the index of each letter. The numbers after a letter are converted once for all
-- decisions.
local kinds, letters, i = {}, {}, 3
for limit = 1, ARGV[2] + 0 do
  kinds[limit], letters[limit] = limits[ARGV[i]], i
  local last = i + kinds[limit].numbers
  for number = i + 1, last do
    ARGV[number] = ARGV[number] + 0
  end
  i = last + 1
end

-- Returns the state of counter k. It fails if that cannot be read.
local function state_of(k, kind)
  local key, state = KEYS[k], nil
  if not sorted[kind] then
    state = states[key]
  else
    -- `states` may read a missing key as a string
    state = rawget(states, key)
    if state ~= ELSEWHERE and type(state) ~= 'table' then
      state = read(kind, k)
      states[key] = state
    end
  end
  if state == ELSEWHERE then
    error(ELSEWHERE, 0)
  end
  return state
end

-- Evaluates so many permits on counter k with this limit. It stores nothing.
local function evaluate(k, limit, permits)
  local kind = kinds[limit]
  return decide(kind, state_of(k, kind), now, permits, ARGV, letters[limit], steps_back)
end

-- The time to live of each key in milliseconds, if it is known.
local lives = {}

-- Stores what has changed, for the next decision too. An unchanged state is kept until its reset. It
-- does as `keep` does, inline since a batch calls it 64 times. And it looks at the time to live of
-- each key once.
local function store(k, limit, changed, ttl, reset)
  local key, kind = KEYS[k], kinds[limit]
  if changed then
    if sorted[kind] then
      changed = sorted[kind].write(k, changed, ttl)
    else
      redis.call('SET', key, changed, 'PX', format(WHOLE, ttl))
    end
    states[key] = changed
    if lives[key] then
      lives[key] = ttl
    end
    return
  end
  lives[key] = lives[key] or redis.call('PTTL', key)
  if ends_early(lives[key], reset) then
    lives[key] = lifetime(reset)
    redis.call('PEXPIRE', key, format(WHOLE, lives[key]))
  end
end

-- Appends the reply for counter k with this limit, and stores what has changed.
local function answer(k, limit, fits, remaining, retry, reset, stamp, ttl, changed)
  if fits == -2 then
    remaining = now
  elseif fits > -2 then
    store(k, limit, changed, ttl, reset)
  end
  reply[fields + 1], reply[fields + 2], reply[fields + 3] = fits, remaining, retry
  reply[fields + 4], reply[fields + 5] = reset, stamp
  fields = fields + 5
end

-- Makes one decision as many times as it fits, over counter k, if not all repeats fit.
local function as_often_as_fits(k, limit, permits, times)
  local fits, remaining, retry, reset, stamp, ttl, changed = evaluate(k, limit, permits)
  if fits ~= 1 then
    return answer(k, limit, fits, remaining, retry, reset, stamp, ttl, changed)
  end
  local granted = math.min(times, 1 + floor_div(remaining, permits))
  fits, remaining, retry, reset, stamp, ttl, changed = evaluate(k, limit, granted * permits)
  answer(k, limit, granted, remaining, retry, reset, stamp, ttl, changed)
  if granted < times then
    local _, _, denied, longer = evaluate(k, limit, permits)
    reply[fields - 2], reply[fields - 1] = denied, longer
  end
end

-- Makes one decision with a repeat count, over counter k. Usually all repeats fit.
local function repeated(k, limit, permits, times)
  if permits <= EXACT / times then
    local fits, remaining, retry, reset, stamp, ttl, changed = evaluate(k, limit, times * permits)
    if fits == 1 then
      return answer(k, limit, times, remaining, retry, reset, stamp, ttl, changed)
    end
  end
  as_often_as_fits(k, limit, permits, times)
end

-- Makes one decision over several counters from k on. All of them are charged, or none. Their
-- limits and permits are in ARGV from i on.
local function together(k, i, counters)
  local found, before, fits = {}, {}, true
  for c = 0, counters - 1 do
    local limit = ARGV[i + 2 * c] + 0
    found[c] = { evaluate(k + c, limit, ARGV[i + 2 * c + 1] + 0) }
    before[c] = rawget(states, KEYS[k + c])
    fits = fits and found[c][1] == 1
    if found[c][1] == -2 then
      for other = 0, counters - 1 do
        answer(k + other, ARGV[i + 2 * other] + 0, -2, 0, 0, 0, 0)
      end
      return
    end
  end
  for c = 0, counters - 1 do
    local limit = ARGV[i + 2 * c] + 0
    if found[c][1] == 1 and not fits then
      found[c] = { evaluate(k + c, limit, 0) }
    end
    local is_stored, refused = pcall(answer, k + c, limit, unpack(found[c], 1, 7))
    if not is_stored then
      for other = c - 1, 0, -1 do
        local kind, one = kinds[ARGV[i + 2 * other] + 0], found[other]
        if one[7] then
          take_back(kind, k + other, before[other], one[7], one[6])
          states[KEYS[k + other]] = not sorted[kind] and before[other] or nil
        end
      end
      error(refused, 0)
    end
  end
end

-- Makes one decision over so many counters from k on. Its limits and permits are in ARGV from i on.
local function make(k, i, counters, times)
  if counters > 1 then
    return together(k, i, counters)
  end
  local limit, permits = ARGV[i] + 0, ARGV[i + 1] + 0
  if times > 1 then
    return repeated(k, limit, permits, times)
  end
  answer(k, limit, evaluate(k, limit, permits))
end

-- Replies that a decision over so many counters from k on has failed, after so many fields. Other
-- decisions over a sorted set of it may fail as well, and are sent alone.
local function fail(k, counters, before)
  fields = before
  for c = k, k + counters - 1 do
    if type(rawget(states, KEYS[c])) == 'table' then
      states[KEYS[c]] = ELSEWHERE
    end
    answer(c, nil, -3, 0, 0, 0, 0)
  end
end

-- Everything before next_run is decided already.
if fields > 0 then
  i = next_run
end
while i <= last do
  local decisions, counters, times = ARGV[i] + 0, ARGV[i + 1] + 0, ARGV[i + 2] + 0
  for _ = done + 1, decisions do
    local before = fields
    if not pcall(make, k, i + 3, counters, times) then
      fail(k, counters, before)
    end
    k = k + counters
  end
  i, done = i + 3 + 2 * counters, 0
end
return reply
