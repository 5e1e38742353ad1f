-- A sliding window as most requests find it. As plain_bucket.lua, this is a block and no function.
-- All that it does not know is left to sliding_by_count.lua.
--
-- Model. Usually the width is that of the last write, and the clock has not moved back. Then the sum
-- decides. An acquisition changes the last count, or adds some behind it. Only what counts no longer
-- is taken off, from the front. So up to 61 counts are neither read nor written one by one, which
-- would take Redis 100 µs. The long path, which reads each count, is for a state of another width, a
-- clock behind the state, a newest count that was refunded whole, a state of which nothing counts any
-- longer, and foreign text.
--
-- The inputs are the locals `state` (a string or nil), `now`, `permits`, and the window's numbers
-- `quota`, `width` and `k`. The results are `fits`, nil if the long path must decide; `remaining`,
-- `retry`, `reset`, `stamp`; and `changed`, the state to store, nil for none. The code around this
-- declares them.

-- The numbers of the oldest and the newest sub-window that count, the sum, and the counts as text,
-- which is '' if nothing counts. `first` becomes nil for the long path.
local at = (now - fmod(now, width)) / width
local first, last, sum, list = at, at, 0, ''
if state then
  local from, oldest, span, total, counts =
    match(state, '^(%d+):(%d+):(%d+):(%d+):([%d:]*[1-9]%d*)$')
  first = nil
  if from and from + 0 == width then
    first, sum, list = oldest + 0, total + 0, counts
    last = first + span
    if last > at or last < at - k or sum >= EXACT then
      first = nil
    end
  end
  if first then
    local begins = 1
    local _, ends, count = string.find(list, '^(%d+):')
    while ends and (first < at - k or count + 0 == 0) do
      first, sum, begins = first + 1, sum - count, ends + 1
      _, ends, count = string.find(list, '^(%d+):', begins)
    end
    if begins > 1 then
      list = string.sub(list, begins)
    end
    if first > last or sum <= 0 then
      first = nil
    end
  end
end

if first then
  stamp = at * width
  if permits > 0 and permits <= quota - sum then
    if list == '' then
      list = format(WHOLE, permits)
    elseif at > last then
      list = list .. string.rep(':0', at - last - 1) .. format(':' .. WHOLE, permits)
    else
      local before, count = match(list, '^(.*:)(%d+)$')
      if before then
        list = before .. format(WHOLE, count + permits)
      else
        list = format(WHOLE, list + permits)
      end
    end
    sum = sum + permits
    fits, retry, changed = 1, 0, format(LISTED, width, first, at - first, sum, list)
    last = at
  elseif permits > quota then
    fits, retry = -1, 0
  elseif permits > 0 then
    -- it fits when so many permits no longer count
    local number, freed = first - 1, 0
    for count in string.gmatch(list, '%d+') do
      number, freed = number + 1, freed + count
      if freed >= sum - quota + permits then
        break
      end
    end
    fits, retry = 0, (number + 1 + k) * width - now
  else
    fits, retry = 1, 0
  end
  remaining, reset = math.max(0, quota - sum), 0
  if sum > 0 then
    reset = (last + 1 + k) * width - now
  end
end
