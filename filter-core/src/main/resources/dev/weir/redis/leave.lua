-- Takes a node off its application's list: it is not alive any more, and was not lost either.
--
-- Its last beat is moved to the beginning of time, and all beats of that time are removed. A list that
-- does not have the node stays as it is. This needs no command that heartbeat.lua does without.
--
-- KEYS[1]  the application's list of nodes
-- ARGV[1]  this node's id
--
-- Reply: how many were removed, 0 or 1.
--
-- Example: EVALSHA sha 1 shop:{nodes}:weir 0f8fad5bd9cb469f

local moved = redis.pcall('ZADD', KEYS[1], 'XX', '0', ARGV[1])
if type(moved) == 'table' then
  stored(moved)
  return 0
end
return redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '0')
