-- The clock of the drivers that run in Redis. Each script reads it once.
--
-- ARGV[1] is empty for the server's own time, else it is the caller's, in microseconds.

local function clock()
  if ARGV[1] ~= '' then
    return tonumber(ARGV[1]), false
  end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2]), true
end
