-- The clock of the drivers that run in Redis: read once in each script.
--
-- ARGV[1] is empty for the server's own time, else the caller's, in microseconds.

local function clock()
  if ARGV[1] ~= '' then
    return tonumber(ARGV[1]), false
  end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2]), true
end
