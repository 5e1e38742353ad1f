-- What the drivers read and write. Most limits keep a string; one that is an entry of `sorted` keeps a
-- sorted set, which it reads and edits itself.
--
-- KEYS[k] stands as KEYS[1] in the scripts of one key, where some proxies demand it literally.

-- The state of the counter k.
local function read(limit, k)
  local set = sorted[limit]
  if set then
    return set.read(k)
  end
  return stored(redis.pcall('GET', KEYS[k]))
end

-- Stores what a limit has made of the state of the counter k, for so many milliseconds; returns it for
-- the next decision, or nil where that is to read it again.
local function write(limit, k, changed, ttl)
  local set = sorted[limit]
  if set then
    return set.write(k, changed, ttl)
  end
  redis.call('SET', KEYS[k], changed, 'PX', format(WHOLE, ttl))
  return changed
end
