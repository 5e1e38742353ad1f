-- Test driver: a whole trace with given times, in one call, over one counter that is kept here.
--
-- ARGV is a list of steps, each beginning with its kind:
--
--   d  time, steps_back (1 or 0), limit's letter, permits, the limit's numbers: a decision
--   g  time, steps_back, limit's letter, permits, stamp, the limit's numbers: a give-back
--   s  a state that somebody else has written, or '' for none
--
-- Reply, for every d: fits, remaining, retry, reset, stamp, ttl, state; for every g: ttl, state. All
-- of them are strings, the state as it is after the step, '' for none.
--
-- Example: EVAL text 0 d 5000000 1 b 1 1 1000000 1 5 s '' answers 1 4 1000000 1000000 0 2000 and
-- '1000000:5000000:1000000'.

local state, reply, i = nil, {}, 1

local function add(value)
  if type(value) == 'number' then
    value = string.format('%.0f', value)
  end
  reply[#reply + 1] = value or ''
end

while i <= #ARGV do
  local kind = ARGV[i]
  if kind == 's' then
    state = ARGV[i + 1]
    if state == '' then
      state = nil
    end
    i = i + 2
  else
    local now, back = tonumber(ARGV[i + 1]), ARGV[i + 2] == '1'
    local limit, permits = limits[ARGV[i + 3]], tonumber(ARGV[i + 4])
    local changed
    if kind == 'd' then
      local found = { limit.decide(state, now, permits, ARGV, i + 4, back) }
      for field = 1, 6 do
        add(found[field])
      end
      changed = found[7]
      i = i + 5 + limit.numbers
    else
      local ttl
      ttl, changed = limit.give_back(state, now, permits, tonumber(ARGV[i + 5]), ARGV, i + 5, back)
      add(ttl)
      i = i + 6 + limit.numbers
    end
    state = changed or state
    add(state)
  end
end
return reply
