-- Driver: forgets one counter, and its block.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
--
-- Reply: 1, or 0 if there was nothing to forget.
--
-- What is out of a bucket is not forgotten: nodes spend it, whatever happens to the key. Except for
-- that, a bucket that has lent is full, until the lease is settled or over; see leases.lua.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login ''

local now, steps_back = clock()
local text = block_off(stored(redis.pcall('GET', KEYS[1])), now, steps_back)
local state = leases_reset(text, now, steps_back)
if not state then
  return redis.call('DEL', KEYS[1])
end
local ttl = math.max(1000, redis.call('PTTL', KEYS[1]))
redis.call('SET', KEYS[1], state, 'PX', string.format('%.0f', ttl))
return 1
