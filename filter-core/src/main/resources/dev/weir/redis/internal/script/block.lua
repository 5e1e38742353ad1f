-- Driver: denies everything on one counter for a time.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the length of the block in microseconds, up to 366 days
-- ARGV[3]  the limit's letter
--
-- Reply: 1, or 0 if a block is in place that does not end sooner. The limit's stored state lives as
-- long as before.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login '' 60000000 b

local now, steps_back = clock()
local limit = limits[ARGV[3]]
local ttl, changed = block(read(limit, 1), now, tonumber(ARGV[2]), steps_back)
if not changed then
  return 0
end
ttl = math.max(ttl, redis.call('PTTL', KEYS[1]))
write(limit, 1, changed, ttl)
return 1
