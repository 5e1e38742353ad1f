-- Reads and writes the state of a counter. Most limits keep a string. A limit that is an entry of
-- `sorted` keeps a sorted set, which it reads and edits itself.
--
-- KEYS[k] becomes KEYS[1] in the scripts of one key, since some proxies require it literally.

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
