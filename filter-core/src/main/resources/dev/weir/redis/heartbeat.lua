-- Counts the nodes of an application that are alive.
--
-- Model. A sorted set holds one member for each node, scored by the time of its last beat. A node
-- whose beat is older than the lifetime is gone; so is one whose beat lies further ahead than that,
-- which only a clock that jumped back explains: the living beat again within seconds.
--
-- KEYS[1]  the application's key for this
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  this node's id
-- ARGV[3]  the lifetime of a beat in microseconds
--
-- Reply: how many nodes are alive, this one among them.
--
-- Example: EVALSHA sha 1 shop:{nodes}:weir '' 0f8fad5bd9cb469f 15000000

local now = clock()
local life = tonumber(ARGV[3])
local beat = redis.pcall('ZADD', KEYS[1], string.format('%.0f', now), ARGV[2])
if type(beat) == 'table' then
  stored(beat)
  redis.call('DEL', KEYS[1])
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[2])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - life))
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now + life), '+inf')
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ceil_div(life, 1000)))
return redis.call('ZCARD', KEYS[1])
