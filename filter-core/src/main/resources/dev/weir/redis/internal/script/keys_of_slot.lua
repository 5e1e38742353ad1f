-- The keys of a batch in one slot. They are declared, and their texts read at once.
--
-- `states` is what is stored, by key. There is no text of a sorted set, which is read when it is first
-- asked for. `last` is where the arguments of batch.lua end.

local unpack = unpack or table.unpack
local last = #ARGV
local states = {}
local texts = redis.call('MGET', unpack(KEYS))
for k = 1, #KEYS do
  states[KEYS[k]] = texts[k] or nil
end

-- In place of the state of a key that cannot be read.
local ELSEWHERE = {}
