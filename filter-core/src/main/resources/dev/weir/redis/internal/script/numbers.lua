-- Exact whole numbers, and how they are written. Only the keys of a batch precede this text.
--
-- Numbers are doubles in Lua 5.1. Integers are exact below 2^53, and every number here stays there.

local match, format, byte, fmod = string.match, string.format, string.byte, math.fmod

-- The longest time in use, about 142 years. The sum of a time of day and this stays exact.
local FAR = 4503599627370496
local EXACT = 9007199254740992

-- Formats a whole number, two, three, and four with a list behind them. '%d' takes less than half the
-- time. It cuts to as many bits as a long of C has, which are 32 on some machines.
local WHOLE, PAIR, WHOLES, LISTED = '%d', '%d:%d', '%d:%d:%d', '%d:%d:%d:%d:%s'
if format(WHOLE, FAR) ~= '4503599627370496' then
  WHOLE, PAIR, WHOLES, LISTED = '%.0f', '%.0f:%.0f', '%.0f:%.0f:%.0f', '%.0f:%.0f:%.0f:%.0f:%s'
end
