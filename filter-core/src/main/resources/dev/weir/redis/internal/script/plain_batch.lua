-- Driver, first part of batch.lua: decisions over one plain bucket each, from the first of a batch
-- on.
--
-- It follows keys_of_slot.lua or keys_across.lua. ARGV and the reply are those of batch.lua. That
-- part goes on with the first decision that is not plain. It is the one after `done` of the run at
-- ARGV[next_run], over the counter `k`.

local now, steps_back = clock()
local reply, fields = {}, 0
local next_run, k, done = 3 + 5 * ARGV[2], 1, 0

-- Whether all limits are plain buckets. Their letters and numbers are five arguments each.
local is_plain = true
for letter = 3, next_run - 1, 5 do
  is_plain = is_plain and ARGV[letter] == 'b' and ARGV[letter + 3] == '1'
end

while is_plain and next_run <= last do
  local decisions, times = ARGV[next_run] + 0, ARGV[next_run + 2] + 0
  local letter, permits = 5 * ARGV[next_run + 3] - 2, ARGV[next_run + 4] * times
  local p, q, burst = ARGV[letter + 1] + 0, ARGV[letter + 2] + 0, ARGV[letter + 4] + 0
  is_plain = ARGV[next_run + 1] == '1'
  while is_plain and done < decisions do
    local key = KEYS[k]
    local state = states[key]
    --include plain_bucket
    if remaining then
      redis.call('SET', key, changed, 'PX', math.ceil(reset / 1000) + 1000)
      states[key] = changed
      reply[fields + 1], reply[fields + 2], reply[fields + 3] = times, remaining, 0
      reply[fields + 4], reply[fields + 5] = reset, now
      fields, k, done = fields + 5, k + 1, done + 1
    else
      is_plain = false
    end
  end
  if is_plain then
    next_run, done = next_run + 5, 0
  end
end

if is_plain then
  return reply
end
