-- Takes a node off its application's list. The node is not alive any more, and was not lost either.
--
-- This call may arrive late. A node that has beaten since then stays on the list: it is open again,
-- or elsewhere. A list without the node stays as it is. Nothing here requires memory, so a node
-- leaves a Redis that is full too.
--
-- KEYS[1]  the application's list of nodes
-- ARGV[1]  the time of its last beat, as heartbeat.lua replied it
-- ARGV[2]  this node's id
--
-- Reply: how many were removed, 0 or 1.
--
-- Example: EVALSHA sha 1 shop:{nodes}:weir 1763847194000000 0f8fad5bd9cb469f

--include numbers
--include prelude

local beat = stored(redis.pcall('ZSCORE', KEYS[1], ARGV[2]))
if beat and tonumber(beat) <= tonumber(ARGV[1]) then
  return redis.call('ZREM', KEYS[1], ARGV[2])
end
return 0
