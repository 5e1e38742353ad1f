-- Counts the nodes of an application that are alive.
--
-- Model. A sorted set holds one member for each node, scored by the time of its last beat. A node
-- is lost if its beat is older than the lifetime. It is also lost if its beat lies further ahead
-- than that. Only a clock that jumped back explains such a beat, and live nodes beat again within
-- seconds. A node that leaves in order takes itself off the list; see leave.lua.
--
-- A second key counts the nodes lost since the list began. It starts at the time of that beginning,
-- so that two lists never have counts close to each other. Take a reply of n nodes and a count of
-- c, and another of m nodes and a count of d of the same list. Then at most m + d - c of those n
-- are alive or lost. The others have left in order.
--
-- A list that Redis restored, from a snapshot or on a replica, may lack nodes that have neither
-- left nor been lost. Then this node's own beat there is older than the last one that the caller
-- knows. Or it is missing before its lifetime is over. Such a list begins anew.
--
-- KEYS[1]  the application's list of nodes
-- KEYS[2]  how many were lost, in the slot of the first
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  this node's id
-- ARGV[3]  the lifetime of a beat in microseconds
-- ARGV[4]  the time of this node's last beat, as the caller knows it, or 0
--
-- Reply: how many nodes are alive, including this one; the count of those lost; the time of this
-- beat.
--
-- Example: EVALSHA sha 2 shop:{nodes}:weir shop:{nodes}:weir:lost '' 0f8fad5bd9cb469f 15000000 0

--include numbers
--include clock
--include prelude

local life = tonumber(ARGV[3])
local life_millis = format(WHOLE, ceil_div(life, 1000))
local received = tonumber(ARGV[4])
local before = tonumber(stored(redis.pcall('ZSCORE', KEYS[1], ARGV[2])) or 0)
local is_restored = before < received and math.abs(now - received) < life
local joined = redis.pcall('ZADD', KEYS[1], format(WHOLE, now), ARGV[2])
if type(joined) == 'table' then
  stored(joined)
  redis.call('DEL', KEYS[1])
  joined = redis.call('ZADD', KEYS[1], format(WHOLE, now), ARGV[2])
end
local listed = redis.call('ZCARD', KEYS[1])
local lost = redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', format(WHOLE, now - life))
  + redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. format(WHOLE, now + life), '+inf')
redis.call('PEXPIRE', KEYS[1], life_millis)

local count = whole(match(stored(redis.pcall('GET', KEYS[2])) or '', '^%d+$'))
if not count or is_restored or (joined == 1 and listed == 1) then
  count = now
end
redis.call('SET', KEYS[2], format(WHOLE, count + lost), 'PX', life_millis)
return {listed - lost, count + lost, now}
