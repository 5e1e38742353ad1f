-- Reads and writes the state of a counter. Most limits keep a string. A limit that is an entry of
-- `sorted` keeps a sorted set, which it reads and edits itself.
--
-- KEYS[k] becomes KEYS[1] in the scripts of one key, since some proxies require it literally.

-- The limits that keep a sorted set instead of a string, with how it is read and written.
local sorted = {}

-- Returns the state of counter k.
local function read(limit, k)
  local set = sorted[limit]
  if set then
    return set.read(k)
  end
  return stored(redis.pcall('GET', KEYS[k]))
end

-- Stores the changed state of counter k, for so many milliseconds. Returns the state for the next
-- decision, or nil if that must read it again.
local function write(limit, k, changed, ttl)
  local set = sorted[limit]
  if set then
    return set.write(k, changed, ttl)
  end
  redis.call('SET', KEYS[k], changed, 'PX', format(WHOLE, ttl))
  return changed
end

-- Takes back what `write` has stored on counter k, which had this state before. Each command is one
-- that Redis has just run on this key for this user. So it is not refused.
local function take_back(limit, k, before, changed, ttl)
  local set = sorted[limit]
  if set then
    set.take_back(k, changed)
  elseif before then
    redis.call('SET', KEYS[k], before, 'PX', format(WHOLE, ttl))
  else
    redis.call('SET', KEYS[k], '', 'PX', '1')
  end
end

-- Stores what a decision has changed on counter k. If it has changed nothing, ensures that the key
-- lives until 'reset'. Otherwise a slower rate would forgive a debt of hours after the seconds that
-- the old rate gave the key.
local function keep(limit, k, changed, ttl, reset)
  if changed then
    write(limit, k, changed, ttl)
  elseif ends_early(redis.call('PTTL', KEYS[k]), reset) then
    redis.call('PEXPIRE', KEYS[k], format(WHOLE, lifetime(reset)))
  end
end
