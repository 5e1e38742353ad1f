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

-- What a GET has found: nil where there is nothing of ours. Foreign types are replaced by the next
-- write; every other error is the caller's to see.
local function stored(reply)
  if type(reply) == 'string' then
    return reply
  end
  if type(reply) == 'table' and not string.find(reply.err, 'WRONGTYPE', 1, true) then
    error(reply.err, 0)
  end
  return nil
end
