-- Driver: many decisions in one call, in the order in which they are asked. Behind plain_batch.lua, which has
-- decided the first of them if those were plain.
--
-- Model. Each answers as if it had been asked alone, after those before it and at the same time. What
-- is stored is read once; what each decision changes is stored at once, and a counter that several ask
-- for is carried from one to the next. So of many denials of one counter only the first reads all of it;
-- the others of a concurrency limit at most count what has ended, and find the permit that returns.
--
-- Merging. Equal decisions over one counter come as one, asked n times over. So many of them fit as
-- the permits that remain are enough for, and so many are charged at once: that is what comes of asking
-- one after the other, since nothing but permits tells them apart and no time passes. What is told is
-- how the counter stands after the last of them: each before it leaves so many permits more. The caller
-- merges no limits for which this is not so: a leaky bucket lets one run at a time, and of what is held
-- each has a name of its own.
--
-- KEYS     of all decisions, one after the other; in one slot, or see keys_across.lua
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  how many limits; then for each the limit's letter and the limit's numbers
-- then the decisions, of which those in a row that differ by their keys alone are told once: how many
-- they are; how many counters each has; how often it is asked, more than once only for one counter; and
-- for each counter which of the limits, and permits
--
-- Reply: { fits, remaining, retry, reset, stamp } of each counter, one after the other, as all.lua's.
-- Of one that is asked n times, 'fits' is how many of them do, from the first on, and 'retry' is what
-- the others are told. { -2, now, 0, 0, 0 } for each counter when the time is outside of the bounds
-- that were sent for any of its decision; { -3, 0, 0, 0, 0 } when a key of it cannot be
-- read, be it elsewhere or for want of a right: the decision was not made, and others may have been.
--
-- Example: EVALSHA sha 2 shop:{dGhlIHN1YmplY3Q}b:api shop:{b3RoZXI}b:api '' 1 b 1 50000 1 5 1 1 3 1 2
-- 1 1 1 1 1 replies { 2, 1, 50000, 200000, now, 1, 4, 0, 50000, now } when both are new: of three that
-- want 2 of 5 permits two do, and the third is told when.

-- The limits, and where their letters stand. The numbers behind them are read once for all.
local kinds, letters, i = {}, {}, 3
for limit = 1, ARGV[2] + 0 do
  kinds[limit], letters[limit] = limits[ARGV[i]], i
  local last = i + kinds[limit].numbers
  for number = i + 1, last do
    ARGV[number] = ARGV[number] + 0
  end
  i = last + 1
end

-- How the counter k, with this limit, answers so many permits; nothing is kept of it.
local function look(k, limit, permits)
  local kind, key, state = kinds[limit], KEYS[k], nil
  if sorted[kind] then
    state = rawget(states, key)
    if type(state) ~= 'table' then
      local is_read, found = pcall(read, kind, k)
      state = is_read and found or ELSEWHERE
      states[key] = state
    end
  else
    state = states[key]
  end
  if state == ELSEWHERE then
    return -3, 0, 0, 0, 0
  end
  return decide(kind, state, now, permits, ARGV, letters[limit], steps_back)
end

-- How long keys live, as far as that is known.
local lives = {}

-- Stores what has changed, for the next one too; it is `write`, at hand for 64 times. What has not changed
-- is kept for as long as it says.
local function keep(k, limit, changed, ttl, reset)
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

-- Answers for the counter k, with this limit.
local function answer(k, limit, fits, remaining, retry, reset, stamp, ttl, changed)
  if fits == -2 then
    remaining = now
  elseif fits > -2 then
    keep(k, limit, changed, ttl, reset)
  end
  reply[fields + 1], reply[fields + 2], reply[fields + 3] = fits, remaining, retry
  reply[fields + 4], reply[fields + 5] = reset, stamp
  fields = fields + 5
end

-- One decision that is asked so often, over the counter k, where not all of them fit.
local function as_often_as_fits(k, limit, permits, times)
  local fits, remaining, retry, reset, stamp, ttl, changed = look(k, limit, permits)
  if fits ~= 1 then
    return answer(k, limit, fits, remaining, retry, reset, stamp, ttl, changed)
  end
  local granted = math.min(times, 1 + floor_div(remaining, permits))
  fits, remaining, retry, reset, stamp, ttl, changed = look(k, limit, granted * permits)
  answer(k, limit, granted, remaining, retry, reset, stamp, ttl, changed)
  if granted < times then
    local _, _, denied, longer = look(k, limit, permits)
    reply[fields - 2], reply[fields - 1] = denied, longer
  end
end

-- One decision that is asked so often, over the counter k. Mostly all of them fit.
local function repeated(k, limit, permits, times)
  if permits <= EXACT / times then
    local fits, remaining, retry, reset, stamp, ttl, changed = look(k, limit, times * permits)
    if fits == 1 then
      return answer(k, limit, times, remaining, retry, reset, stamp, ttl, changed)
    end
  end
  as_often_as_fits(k, limit, permits, times)
end

-- One decision over so many counters from k on, or none of them; their limits are told from i on.
local function together(k, i, counters)
  local found, fits = {}, true
  for c = 0, counters - 1 do
    found[c] = { look(k + c, ARGV[i + 2 * c] + 0, ARGV[i + 2 * c + 1] + 0) }
    fits = fits and found[c][1] == 1
    if found[c][1] < -1 then
      for other = 0, counters - 1 do
        answer(k + other, ARGV[i + 2 * other] + 0, found[c][1], 0, 0, 0, 0)
      end
      return
    end
  end
  for c = 0, counters - 1 do
    local limit = ARGV[i + 2 * c] + 0
    if found[c][1] == 1 and not fits then
      answer(k + c, limit, look(k + c, limit, 0))
    else
      answer(k + c, limit, unpack(found[c], 1, 7))
    end
  end
end

-- plain_batch.lua has decided those before.
if fields > 0 then
  i = next_run
end
while i <= last do
  local decisions, counters, times = ARGV[i] + 0, ARGV[i + 1] + 0, ARGV[i + 2] + 0
  local limit, permits = ARGV[i + 3] + 0, ARGV[i + 4] + 0
  for _ = done + 1, decisions do
    if counters > 1 then
      together(k, i + 3, counters)
    elseif times > 1 then
      repeated(k, limit, permits, times)
    else
      answer(k, limit, look(k, limit, permits))
    end
    k = k + counters
  end
  i, done = i + 3 + 2 * counters, 0
end
return reply
