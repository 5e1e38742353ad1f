-- A period limit in the manner of go-zero's periodlimit, written anew from a description of it, to
-- show its defect: only the request that creates a key gives it a time to live.
--
-- KEYS: counter. ARGV: quota, seconds. Reply: 1 allowed, 2 quota hit exactly, 0 over quota.

local current = redis.call('INCRBY', KEYS[1], 1)
if current == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
if current < tonumber(ARGV[1]) then
  return 1
elseif current == tonumber(ARGV[1]) then
  return 2
end
return 0
