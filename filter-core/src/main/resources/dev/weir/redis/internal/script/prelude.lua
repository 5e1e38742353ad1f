-- What most scripts share: exact integers, and the limits.
--
-- A script is put together of texts: numbers.lua, the clock, this prelude, the arithmetic of one or more limits, that of
-- blocks, and one driver. The arithmetic is pure: it is given a state, a time and numbers, and returns
-- what to answer and what to store; it never calls Redis. The driver reads the keys and the clock, and
-- writes. All of it keeps to what Lua 5.1 and 5.4 have in common.
--
-- Time is in microseconds since 1970, 1.8e15 today; state is written with WHOLE, since '..' would
-- round to 14 digits. An argument that a limit has no use for is not sent, and '+ 0' makes a number of
-- one that a driver may have left a string.
--
-- Every limit is an entry of `limits`, named by the letter that stands in ARGV before its numbers (and
-- the token bucket in full is one by the name of 'B'):
--
--   numbers    how many ARGV the limit takes
--   decide     (state, now, permits, argv, i, steps_back, patience) ->
--                fits, remaining, retry, reset, stamp, ttl, state'
--   give_back  (state, now, permits, stamp, argv, i, steps_back, granted) -> ttl, state': so many of
--                the permits that were granted with that stamp
--   reward     (state, now, permits, argv, i, steps_back) -> ttl, state': as give_back, of whatever
--                grants still count
--   owe        (state, now, permits, argv, i, steps_back) -> ttl, state': takes permits, whether or
--                not they are there; a ttl of -2 when the time is outside of what argv describes
--   renew      (state, now, stamp, argv, i, steps_back) -> ttl, state': of what is held, where a limit
--                has leases
--
--   state       the string stored, or nil; one that nobody here has written counts as nil. A limit that
--               keeps a sorted set has a table there, always, and another of edits in place of state'
--   now         microseconds
--   permits     how many are asked; 0 looks without taking
--   argv, i     the limit's numbers are argv[i + 1] onward
--   steps_back  whether a clock that moved back by more than the limit's own time is believed: true
--               for the server's clock, which all share; false for that of one node among many
--   patience    microseconds for which the request can wait before it runs; a limit that keeps
--               nobody's place takes no notice
--   fits        1 taken, 0 not now, -1 never, -2 the time is outside of what argv describes
--   remaining   permits that would still be granted now
--   retry       microseconds until the same request fits; when it does, until it runs
--   reset       microseconds until the limit is as good as new
--   stamp       what a later give-back needs to know the state that it gives back to
--   ttl         milliseconds after which nothing is lost with the key
--   state'      the string to store, or nil when nothing changed: a denial changes nothing
--
-- A driver that stores nothing still sees to it that the key lives until 'reset'. Otherwise a debt of
-- hours, at a rate made slower, would be forgiven after the seconds that the old rate gave the key.

-- A limit is made when it is first asked for: a script that knows all of them mostly needs one, and to
-- make the functions of the others takes Redis longer than a decision. A maker, by the limit's letter,
-- stands around the text of one kind of limit; so what is local there is known to that kind alone.
local makers = {}
local limits = setmetatable({}, {
  __index = function(made, letter)
    makers[letter]()
    return rawget(made, letter)
  end,
})

-- Those of them that keep a sorted set instead of a string, with how it is read and written; keys.lua.
local sorted = {}

-- Rounded down, exactly, for whole a >= 0 and b > 0: the division itself never rounds. Most ticks are
-- of one microsecond, and many rates of one unit for each.
local function floor_div(a, b)
  if b == 1 then
    return a
  end
  return math.floor((a - math.fmod(a, b)) / b)
end

-- Rounded up, exactly.
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

-- So many ticks in microseconds, no longer than FAR.
local function micros(ticks, tick)
  if ticks > FAR / tick then
    return FAR
  end
  return ticks * tick
end

-- A key lives for so many microseconds and a second more: never too short, whatever is rounded. By a
-- thousand every whole number below 2^53 is divided well enough to be rounded up.
local function lifetime(time)
  return math.ceil(time / 1000) + 1000
end

-- Whether a key with so many milliseconds to live, as PTTL tells, ends before the limit is as good as
-- new. Only a rate that has become slower since the key was written, or a TTL that somebody has taken
-- away, can bring that about.
local function ends_early(pttl, reset)
  return reset > 0 and pttl * 1000 < reset
end

-- A whole number from 0 to 2^53 - 1, or nil. Only digits reach this: 'nan' and '0x10' do not.
local function whole(digits)
  local number = tonumber(digits)
  if number and number < EXACT then
    return number
  end
  return nil
end

-- What a GET has found: nil where there is nothing of ours. Foreign types are replaced by the next
-- write; every other error is the caller's to see.
local function stored(reply)
  if type(reply) == 'string' then
    return reply
  end
  if type(reply) == 'table' and not string.find(reply.err, 'WRONGTYPE', 1, true) then
    error(reply.err, 0)
  end
  return nil
end
