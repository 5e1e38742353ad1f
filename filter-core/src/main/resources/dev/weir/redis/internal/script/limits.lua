-- The kinds of limit. Each is an entry of `limits`, by the letter before its numbers in ARGV.
--
--   letter  in keys  kind
--   b       b        token bucket, as most are: no request waits, and nothing is lent
--   B       b        token bucket in full; a driver turns to it when 'b' does not suffice
--   l       l        leaky bucket
--   f       w        fixed window that begins with its first request
--   c       w        fixed window of a calendar
--   s       s        sliding window
--   h       h        concurrency limit, whose permits are held
--
--   numbers     how many ARGV the limit takes
--   decide      (state, now, permits, argv, i, steps_back, patience) ->
--                 fits, remaining, retry, reset, stamp, ttl, state'
--
-- and, in scripts that change counters otherwise:
--
--   refund      (state, now, permits, stamp, argv, i, steps_back, granted) -> ttl, state': so many
--                 of the permits that were granted with that stamp
--   reward      (state, now, permits, argv, i, steps_back) -> ttl, state': as refund, of whatever
--                 acquisitions still count
--   debit       (state, now, permits, argv, i, steps_back) -> ttl, state': takes permits, available
--                 or not; a ttl of -2 if the time is outside of what argv describes. A limit of held
--                 permits has none
--   renew       (state, now, stamp, argv, i, steps_back) -> ttl, state': of held permits, if a
--                 limit has a ttl
--   lasts       (state, now) -> microseconds for which a state counts of which nothing is used; none
--               if such a state is as good as no state
--   settle_lease, lend, reset   if a limit lends; see lending_bucket.lua
--
--   state       the string stored, or nil; a string of another format counts as nil. A limit that
--               keeps a sorted set always has a table here, and a table of edits for state'
--   now         microseconds
--   permits     how many are requested; 0 evaluates without taking
--   granted     how many permits that grant has taken in all
--   argv, i     the limit's numbers are argv[i + 1] onward. '+ 0' makes a number of one that a
--               driver may have left a string
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
--   state'      the string to store, or nil if nothing changed. A denial changes only the time of a
--               state, and only after the clock has moved back
--
-- A limit is created when it is first needed, with no more than what is in its file. What few calls
-- need is created later still, as the long path of a sliding window. To create all functions takes
-- Redis longer than a decision. Locals of one kind are known to it alone. The file of a kind knows
-- its `letter`, since one file may serve two kinds. Drivers that only decide are without what
-- follows '--changes' in a file. No state begins with the mark of a block; see blocks.lua.

local limits = setmetatable({}, {
  __index = function(limits, letter)
    if letter == 'b' then
      --include plain_limit
    elseif letter == 'B' or letter == 'l' then
      --include bucket
      if letter == 'B' then
        --include lendable_bucket
      end
    elseif letter == 'f' or letter == 'c' then
      --include window
    elseif letter == 's' then
      --include sliding
    elseif letter == 'h' then
      --include concurrency
    end
    return rawget(limits, letter)
  end,
})
