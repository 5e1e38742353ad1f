-- Driver: many decisions in one call, in the order in which they are asked.
--
-- Model. Each answers as if it had been asked alone, after those before it and at the same time. What
-- is stored is read once at the start and written once at the end: a counter that several ask for is
-- carried from one to the next in between.
--
-- Merging. Equal decisions over one counter come as one, asked n times over. So many of them fit as
-- the permits that remain are enough for, and so many are charged at once: that is what comes of asking
-- one after the other, since nothing but permits tells them apart and no time passes. What is told is
-- how the counter stands after the last of them: each before it leaves so many permits more. The caller
-- merges no limits for which this is not so: a leaky bucket lets one run at a time, and of what is held
-- each has a name of its own.
--
-- KEYS     of all decisions, one after the other; in a cluster they share a slot
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  how many limits; then for each the limit's letter and the limit's numbers
-- then for each decision: how many counters, how often it is asked (more than once only for one
-- counter); and for each counter which of the limits, and permits
--
-- Reply: { fits, remaining, retry, reset, stamp } of each counter, one after the other, as all.lua's.
-- Of one that is asked n times, 'fits' is how many of them do, from the first on, and 'retry' is what
-- the others are told. { -2, now, 0, 0, 0 } for each counter when the time is outside of the bounds
-- that were sent for any of its decision.
--
-- Example: EVALSHA sha 2 shop:{dGhlIHN1YmplY3Q}b:api shop:{b3RoZXI}b:api '' 1 b 1 50000 1 5 1 3 1 2 1 1
-- 1 1 replies { 2, 1, 50000, 200000, now, 1, 4, 0, 50000, now } when both are new: of three that want 2
-- of 5 permits two do, and the third is told when.

local unpack = unpack or table.unpack
local now, steps_back = clock()
local read = redis.call('MGET', unpack(KEYS))
local texts, ttls, resets = {}, {}, {}
for k = 1, #KEYS do
  texts[KEYS[k]] = read[k] or nil
end

-- Where the limits' letters stand, and behind them their numbers.
local letters, i = {}, 3
for limit = 1, tonumber(ARGV[2]) do
  letters[limit] = i
  i = i + 1 + limits[ARGV[i]].numbers
end

-- How a counter whose limit is told at ARGV[i] answers so many permits; nothing is kept of it.
local function look(k, i, permits)
  local letter = letters[tonumber(ARGV[i])]
  return { decide(limits[ARGV[letter]], texts[KEYS[k]], now, permits, ARGV, letter, steps_back) }
end

-- Keeps what an answer has changed, for the next one and the end.
local function keep(k, found)
  local key = KEYS[k]
  if found[7] then
    texts[key], ttls[key], resets[key] = found[7], found[6], found[4]
  else
    resets[key] = math.max(resets[key] or 0, found[4])
  end
  return found
end

local reply = {}
local function answer(found)
  for field = 1, 5 do
    reply[#reply + 1] = found[field]
  end
end

local function outside(counters)
  for _ = 1, counters do
    answer({ -2, now, 0, 0, 0 })
  end
end

-- One decision that is asked so often, over the counter k.
local function repeated(k, i, times)
  local permits = tonumber(ARGV[i + 1])
  local found = look(k, i, permits)
  if found[1] == -2 then
    return outside(1)
  end
  if found[1] ~= 1 then
    found[1] = math.min(found[1], 0)
    return answer(keep(k, found))
  end
  local granted = math.min(times, 1 + floor_div(found[2], permits))
  if granted > 1 then
    found = look(k, i, granted * permits)
  end
  keep(k, found)
  found[1] = granted
  if granted < times then
    local denied = keep(k, look(k, i, permits))
    found[3], found[4] = denied[3], denied[4]
  end
  answer(found)
end

-- One decision over so many counters from k on, or none of them.
local function together(k, i, counters)
  local found, at, fits = {}, i, true
  for c = 0, counters - 1 do
    found[c] = look(k + c, at, tonumber(ARGV[at + 1]))
    if found[c][1] == -2 then
      return outside(counters)
    end
    fits = fits and found[c][1] == 1
    at = at + 2
  end
  at = i
  for c = 0, counters - 1 do
    if found[c][1] == 1 and not fits then
      found[c] = look(k + c, at, 0)
    end
    answer(keep(k + c, found[c]))
    at = at + 2
  end
end

local k = 1
while i <= #ARGV do
  local counters, times = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  i = i + 2
  if times > 1 then
    repeated(k, i, times)
  else
    together(k, i, counters)
  end
  i = i + 2 * counters
  k = k + counters
end

for key, reset in pairs(resets) do
  if ttls[key] then
    local ttl = ttls[key]
    if ends_early(ttl, reset) then
      ttl = lifetime(reset)
    end
    redis.call('SET', key, texts[key], 'PX', string.format('%.0f', ttl))
  elseif ends_early(redis.call('PTTL', key), reset) then
    redis.call('PEXPIRE', key, string.format('%.0f', lifetime(reset)))
  end
end
return reply
