-- The time of a script, in microseconds since 1970. A script reads the clock once.
--
-- ARGV[1] is empty for the server's own time, else it is the caller's. `steps_back` is whether to
-- believe a clock that moved back; see limits.lua.

local now, steps_back
if ARGV[1] ~= '' then
  now, steps_back = tonumber(ARGV[1]), false
else
  local time = redis.call('TIME')
  now, steps_back = time[1] * 1000000 + time[2], true
end
