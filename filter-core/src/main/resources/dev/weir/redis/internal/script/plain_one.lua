-- Driver, first part of one.lua: the decision of most requests, over a plain bucket.
--
-- KEYS, ARGV and the reply are those of one.lua. If it does not decide, it has changed nothing.

if ARGV[2] == 'b' and ARGV[6] == '1' then
  local now = clock()
  local state = redis.pcall('GET', KEYS[1])
  if type(state) ~= 'table' then
    local permits, p, q, burst = ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0, ARGV[7] + 0
    --include plain_bucket
    if remaining then
      redis.call('SET', KEYS[1], changed, 'PX', math.ceil(reset / 1000) + 1000)
      return { 1, remaining, 0, reset, now }
    end
  end
end
