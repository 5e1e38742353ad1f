-- The keys of a batch across slots, for the primaries of a cluster that allow it. They stand behind the
-- arguments of batch.lua, and their number behind them: declared keys must share a slot.
--
-- Model. A script may read and write every key that is local, whatever its slot. To touch another one is
-- an error, and what ran before stays done. So each key is read by a command of its own, when it is first
-- asked for. Where that is an error, the decision answers { -3, 0, 0, 0, 0 } for each of its counters, and
-- the others go on: nothing was written for it, since a decision reads all of its keys before it writes.
-- The caller then sends it alone, and Redis says where the key is.
--
-- Invariant. A key that was read can be written. Its slot cannot move while a script runs; in a slot that
-- is on its way, only a key that is missing is elsewhere, and that is found when it is read.

local unpack = unpack or table.unpack
local last = #ARGV - 1 - ARGV[#ARGV]
local KEYS = {}
for k = 1, #ARGV - 1 - last do
  KEYS[k] = ARGV[last + k]
end

-- No state of a limit; where somebody has stored it, the decision is sent alone too.
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
