-- The keys of a batch across slots, for the primaries of a cluster that allow it. They follow the
-- arguments of batch.lua, and their number follows them. They are not declared, since declared keys
-- must share a slot.
--
-- Model. A script may read and write every key that is local, whatever its slot. Access to another
-- key is an error, and earlier commands stay done. So each key is read by a command of its own,
-- when it is first needed. If that is an error, the decision replies { -3, 0, 0, 0, 0 } for each of
-- its counters. The other decisions go on. The caller then sends that decision alone, and Redis
-- replies where the key is.
--
-- Invariant. A key that was read can be written. Its slot cannot move while a script runs. In a
-- slot that is migrating, only a missing key is elsewhere, and the read finds that.

local unpack = unpack or table.unpack
local last = #ARGV - 1 - ARGV[#ARGV]
local KEYS = {}
for k = 1, #ARGV - 1 - last do
  KEYS[k] = ARGV[last + k]
end

-- Replaces the state of a key that cannot be read. This is no state of a limit. If a foreign client
-- has stored it, the decision is sent alone too.
local ELSEWHERE = '!elsewhere'
local states = setmetatable({}, {
  __index = function(known, key)
    local text = redis.pcall('GET', key)
    if type(text) == 'table' then
      text = not string.find(text.err, 'WRONGTYPE', 1, true) and ELSEWHERE or nil
    end
    if text then
      known[key] = text
      return text
    end
    return nil
  end,
})
