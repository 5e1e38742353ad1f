-- The long path of the sliding window, and its changes other than decisions. This is in a function of
-- sliding.lua.

-- No state of ours has more counts.
local SLIDING_MOST = 61

-- Returns what a state holds: the permits by number of sub-window, and the width; nil if it is not
-- ours.
local function sliding_read(state)
  local from, first, span, total, list = match(state, '^(%d+):(%d+):(%d+):(%d+):([%d:]+)$')
  from, first = whole(from), whole(first)
  if not (from and first and from > 0 and first <= floor_div(EXACT - 1, from) - SLIDING_MOST) then
    return nil
  end
  local counts, size, sum = {}, 0, 0
  for digits in string.gmatch(list .. ':', '([^:]*):') do
    local count = whole(digits)
    if not count or size == SLIDING_MOST then
      return nil
    end
    counts[first + size] = count
    size, sum = size + 1, sum + count
  end
  if span + 1 ~= size or total + 0 ~= sum then
    return nil
  end
  return counts, from
end

-- Returns the same permits under another width.
local function sliding_converted(counts, from, width, now)
  local converted = {}
  for number, count in pairs(counts) do
    local last = math.max(number * from, math.min((number + 1) * from - 1, now))
    local into = floor_div(last, width)
    converted[into] = math.min(EXACT - 1, (converted[into] or 0) + count)
  end
  return converted
end

-- Returns what counts now: permits by number, their sum, the number that is charged now, and
-- whether the clock has jumped back.
local function sliding_counted(state, now, width, k, steps_back)
  local at = floor_div(now, width)
  local counts, from
  if state then
    counts, from = sliding_read(state)
  end
  if not counts then
    return {}, 0, at, false
  end
  if from ~= width then
    counts = sliding_converted(counts, from, width, now)
  end
  local newest = at
  for number, count in pairs(counts) do
    if count > 0 and number > newest then
      newest = number
    end
  end
  local back = 0
  if steps_back and newest - at > k + 1 then
    back = newest - at
  end
  local kept, sum = {}, 0
  for number, count in pairs(counts) do
    if count > 0 and number >= newest - k then
      kept[number - back] = count
      sum = math.min(EXACT - 1, sum + count)
    end
  end
  return kept, sum, newest - back, back > 0
end

-- Returns how long until so many of the permits that count do so no longer.
local function sliding_wait(counts, at, width, k, now, excess)
  local number = at - k
  local freed = counts[number] or 0
  while freed < excess do
    number = number + 1
    freed = freed + (counts[number] or 0)
  end
  return (number + k + 1) * width - now
end

-- Returns the state to store, and how long any of it counts.
local function sliding_state(counts, at, width, k, now)
  local first, last = at, at - k
  for number in pairs(counts) do
    first = math.min(first, number)
    last = math.max(last, number)
  end
  local fields, sum = {}, 0
  for number = first, last do
    fields[#fields + 1] = format(WHOLE, counts[number] or 0)
    sum = sum + (counts[number] or 0)
  end
  local changed = format(LISTED, width, first, last - first, sum, table.concat(fields, ':'))
  return changed, (last + k + 1) * width - now
end

local by_count = {}

-- Makes a decision on the long path.
by_count.decide = function(state, now, permits, quota, width, k, steps_back)
  local counts, sum, at, jumped = sliding_counted(state, now, width, k, steps_back)
  local fits, retry = 1, 0
  if permits > quota then
    fits = -1
  elseif permits > 0 and permits > quota - sum then
    fits = 0
    retry = sliding_wait(counts, at, width, k, now, sum - quota + permits)
  elseif permits > 0 then
    counts[at] = (counts[at] or 0) + permits
    sum = sum + permits
  end
  local reset = 0
  if sum > 0 then
    reset = sliding_wait(counts, at, width, k, now, sum)
  end
  local remaining = math.max(0, quota - sum)
  if jumped or (fits == 1 and permits > 0) then
    local changed = sliding_state(counts, at, width, k, now)
    return fits, remaining, retry, reset, at * width, lifetime(reset), changed
  end
  return fits, remaining, retry, reset, at * width, 0, nil
end

--changes

-- Refunds only to the sub-window that was charged: its start is the stamp.
by_count.refund = function(state, now, permits, stamp, argv, i, steps_back)
  local width, k = tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local counts, _, at = sliding_counted(state, now, width, k, steps_back)
  local number = floor_div(stamp, width)
  if number * width ~= stamp or not counts[number] then
    return 0, nil
  end
  counts[number] = math.max(0, counts[number] - permits)
  local changed, reset = sliding_state(counts, at, width, k, now)
  return lifetime(reset), changed
end

by_count.debit = function(state, now, permits, argv, i, steps_back)
  local width, k = tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local counts, sum, at = sliding_counted(state, now, width, k, steps_back)
  if sum == EXACT - 1 then
    return 0, nil
  end
  counts[at] = (counts[at] or 0) + math.min(permits, EXACT - 1 - sum)
  local changed, reset = sliding_state(counts, at, width, k, now)
  return lifetime(reset), changed
end

-- Rewards from the oldest sub-window on.
by_count.reward = function(state, now, permits, argv, i, steps_back)
  local width, k = tonumber(argv[i + 2]), tonumber(argv[i + 3])
  local counts, sum, at = sliding_counted(state, now, width, k, steps_back)
  if sum == 0 then
    return 0, nil
  end
  for number = at - k, at do
    local count = counts[number] or 0
    if count > 0 then
      counts[number] = math.max(0, count - permits)
      permits = math.max(0, permits - count)
    end
  end
  local changed, reset = sliding_state(counts, at, width, k, now)
  return lifetime(reset), changed
end
