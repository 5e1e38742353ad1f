-- What most scripts share: exact whole numbers, and how long keys live.
--
-- A driver is one of decide.lua, batch.lua and adjust.lua. It includes numbers.lua, the clock, this
-- prelude, and the kinds of limit. The arithmetic of these is pure. It receives a state, a time and
-- numbers, and returns what to reply and what to store. The driver reads the keys and the clock,
-- and writes. Only concurrency.lua calls Redis itself, since its state is a sorted set. All of it
-- uses only what Lua 5.1 and 5.4 have in common.
--
-- A line '--include name' is replaced by the text of that file. A file may have a part for changes
-- other than decisions, after a line '--changes'. That part is left out unless the line says
-- 'with changes', which holds for what that file includes too. So a decision does not create
-- functions that it never calls.
--
-- Time is in microseconds since 1970, 1.8e15 today. State is written with WHOLE or '%.0f', since
-- '..' would round to 14 digits.

-- The grid on which leases end, in microseconds; see leases.lua.
local GRID = 10000

-- Divides and rounds down, exactly, for whole a >= 0 and b > 0. The division itself never rounds.
-- Most ticks are one microsecond, and many rates are one unit for each.
local function floor_div(a, b)
  if b == 1 then
    return a
  end
  return math.floor((a - math.fmod(a, b)) / b)
end

-- Divides and rounds up, exactly.
local function ceil_div(a, b)
  if b == 1 then
    return a
  end
  local rest = math.fmod(a, b)
  local whole = math.floor((a - rest) / b)
  if rest > 0 then
    return whole + 1
  end
  return whole
end

-- Returns the milliseconds that a key lives for so many microseconds, and a second more. The result
-- is never too short, whatever is rounded. The division by a thousand is exact enough to round up
-- every whole number below 2^53.
local function lifetime(time)
  return math.ceil(time / 1000) + 1000
end

-- Returns whether a key ends before the limit is full. The key has so many milliseconds to live, as
-- PTTL reports. Only two causes exist: a rate that has become slower since the key was written, or
-- a foreign client that has removed the TTL.
local function ends_early(pttl, reset)
  return reset > 0 and pttl * 1000 < reset
end

-- Returns a whole number from 0 to 2^53 - 1, or nil. Only digits reach this: 'nan' and '0x10' do
-- not.
local function whole(digits)
  local number = tonumber(digits)
  if number and number < EXACT then
    return number
  end
  return nil
end

-- Returns what a GET has found, or nil if it is not ours. The next write replaces foreign types.
-- The caller receives every other error.
local function stored(reply)
  if type(reply) == 'string' then
    return reply
  end
  if type(reply) == 'table' and not string.find(reply.err, 'WRONGTYPE', 1, true) then
    error(reply.err, 0)
  end
  return nil
end

--changes

-- Returns the end of a lease that is taken now.
local function leases_end(now)
  return (floor_div(now, GRID) + 2) * GRID
end
