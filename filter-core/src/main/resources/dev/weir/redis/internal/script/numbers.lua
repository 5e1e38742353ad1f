-- Whole numbers that are exact, and how they are written. First in every script.
--
-- Numbers are doubles in Lua 5.1: integers are exact below 2^53, and every number here stays there.

local match, format, byte, fmod = string.match, string.format, string.byte, math.fmod

-- The longest time spoken of, about 142 years: sums of a time of day and this stay exact.
local FAR = 4503599627370496
local EXACT = 9007199254740992

-- A whole number in text, and three of them. '%d' takes less than half the time. It cuts to as many
-- bits as a long of C has, which are 32 on some machines.
local WHOLE, WHOLES = '%d', '%d:%d:%d'
if format(WHOLE, FAR) ~= '4503599627370496' then
  WHOLE, WHOLES = '%.0f', '%.0f:%.0f:%.0f'
end
