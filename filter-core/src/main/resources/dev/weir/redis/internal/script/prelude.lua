-- What most scripts share: exact integers, and the limits.
--
-- A script is composed of texts. These are numbers.lua, the clock, this prelude, the arithmetic of
-- one or more limits, that of blocks, and one driver. The arithmetic is pure. It receives a state,
-- a time and numbers, and returns what to reply and what to store. The driver reads the keys and
-- the clock, and writes. Only concurrency.lua calls Redis itself, since its state is a sorted set.
-- All of it uses only what Lua 5.1 and 5.4 have in common.
--
-- Time is in microseconds since 1970, 1.8e15 today. State is written with WHOLE, since '..' would
-- round to 14 digits. An argument that a limit does not use is not sent. '+ 0' makes a number of
-- one that a driver may have left a string.
--
-- Every limit is an entry of `limits`. Its name is the letter before its numbers in ARGV. The token
-- bucket in full is an entry too, by the name of 'B':
--
--   numbers     how many ARGV the limit takes
--   decide      (state, now, permits, argv, i, steps_back, patience) ->
--                 fits, remaining, retry, reset, stamp, ttl, state'
--   refund      (state, now, permits, stamp, argv, i, steps_back, granted) -> ttl, state': so many
--                 of the permits that were acquired with that stamp
--   reward      (state, now, permits, argv, i, steps_back) -> ttl, state': as refund, of whatever
--                 acquisitions still count
--   debit       (state, now, permits, argv, i, steps_back) -> ttl, state': takes permits, available
--                 or not; a ttl of -2 if the time is outside of what argv describes
--   renew       (state, now, stamp, argv, i, steps_back) -> ttl, state': of held permits, if a
--                 limit has a ttl
--
--   state       the string stored, or nil; a string of another format counts as nil. A limit that
--               keeps a sorted set always has a table here, and a table of edits for state'
--   now         microseconds
--   permits     how many are requested; 0 evaluates without taking
--   argv, i     the limit's numbers are argv[i + 1] onward
--   steps_back  whether to believe a clock that moved back by more than the limit's own time:
--               true for the server's clock, which all share; false for that of one node among many
--   patience    microseconds for which the request can wait before it runs; a limit without a queue
--               ignores it
--   fits        1 taken, 0 not now, -1 never, -2 the time is outside of what argv describes
--   remaining   permits that could still be acquired now
--   retry       microseconds until the same request fits; if it fits, until it runs
--   reset       microseconds until the limit is full
--   stamp       what a later refund needs to find the state that it changes
--   ttl         milliseconds after which nothing is lost with the key
--   state'      the string to store, or nil if nothing changed: a denial changes nothing
--
-- A driver that stores nothing still ensures that the key lives until 'reset'. Otherwise a slower
-- rate would forgive a debt of hours after the seconds that the old rate gave the key.

-- A limit is created when it is first needed. A script that knows all of them usually needs one. To
-- create the functions of the others takes Redis longer than a decision. A maker, by the limit's
-- letter, encloses the text of one kind of limit. So locals there are known to that kind alone.
local makers = {}
local limits = setmetatable({}, {
  __index = function(made, letter)
    makers[letter]()
    return rawget(made, letter)
  end,
})

-- The limits that keep a sorted set instead of a string, with how it is read and written; see
-- keys.lua.
local sorted = {}

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

-- Returns so many ticks in microseconds, no more than FAR.
local function micros(ticks, tick)
  if ticks > FAR / tick then
    return FAR
  end
  return ticks * tick
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
