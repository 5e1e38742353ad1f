-- The keys of a batch in one slot. They are declared, and their texts are read at once.
--
-- `states` is what is stored, by key. A sorted set has no text, and is read when it is first
-- needed. `last` is the index of the last argument of batch.lua.

-- Replaces the state of a key that cannot be read. This is no state of a limit. If a foreign client
-- has stored it, the decision is sent alone too.
local ELSEWHERE = '!elsewhere'

local unpack = unpack or table.unpack
local last = #ARGV
local states = {}
local texts = redis.pcall('MGET', unpack(KEYS))
for k = 1, #KEYS do
  states[KEYS[k]] = texts.err and ELSEWHERE or texts[k] or nil
end
