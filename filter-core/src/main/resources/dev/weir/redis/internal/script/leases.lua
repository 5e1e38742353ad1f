-- Leases, between a block and a token bucket's own state: how much of the bucket is out.
--
-- Model. A node with many requests for one subject takes permits for its next few milliseconds in
-- one call. It spends them in process, and settles with its next call. Permits that it has taken
-- and not reported are out: it may spend them at any instant until the lease ends. The bucket has
-- paid for them when they were taken, but its debt falls with time. Without more care, B permits
-- could be taken from a full bucket while those that are out are spent alongside them. So while
-- permits are out, the debt falls no lower than their sum.
--
-- Invariant. The permits available in the bucket, and those that are out, are together at most B.
-- Let P be their sum. Taking a lease moves permits from the one to the other. Settling takes spent
-- permits off P, and returned permits move the other way. P grows with time alone, by no more than
-- r, and spending makes it smaller by as much. Consider an interval of length t. What is spent in
-- it is at most P at its beginning plus r * t, and P is B or less. That is the promise, whichever
-- node spends.
--
-- Ends. A lease ends at the second multiple of GRID after it was taken, by the server's clock. The
-- node measures its length from before the call, so that for the node it ends no later. At its end
-- it is out no longer, whether the node lives or not. The permits of a dead node are lost to it,
-- and the debt falls from there. All leases end on that grid. So two sums are enough for all nodes:
-- what is out until the next end, and until the one after it.
--
-- Settling. A node sends the end of its lease, and how much the server believes to be out for it.
-- It also sends how much of that it keeps, and how much it returns. The rest was spent. That counts
-- only while the lease lives. All of it then leaves its sum, the kept part is out until a new end,
-- and the returned part comes off the debt. A lease that has ended has nothing to settle: the node
-- has spent it or lost it. A call may be late, or lost, or come twice to a server that has lost its
-- memory. Such a call returns nothing that others may have by then. A node does not report a lease
-- that is over for it. After a clock moves back, others may have a lease with the same end. If the
-- sum is less than the node reports, its lease is not in that sum. While a request waits in the
-- queue, nothing is returned. The request keeps its instant, and new requests must not run
-- alongside it.
--
-- Lending. No more than half of what is left is lent, so that other requests find something. No
-- more than a quarter of B is ever out at once, which bounds the cost of dead nodes. Nothing is
-- lent while a request waits.
--
-- State. '~cell:first:second;' before the bucket's own state. The sum 'first' is the permits that
-- are out until the end of this cell of the grid. The sum 'second' is those until the end of the
-- next one. When the last of them have ended, the next write removes it.
--
-- Clock. Time that moves back lengthens leases, and their holders do not know. So no holder spends
-- more. While what is out ends later than a lease that would be taken now, nothing is lent, nor
-- kept for longer. An end that comes a second time would be the name of two leases. If an end is
-- more than four cells away, the leases are dated to the end after the next but one. That is the
-- first end by which all of them are over. A holder has its lease no longer when its own end comes
-- again. Time that jumps ahead ends leases that nodes still spend. Then up to a quarter of B more
-- is spent than was promised by a clock that jumps. That happens once, for less than two cells.
--
-- Example. 1000 per second, burst 1000: p = 1, q = 1000, tick 1. State nil, now 1000000, 400 are
-- requested: a quarter of 1000 is lent until 1020000, state '~100:0:250;250000:1000000:1000'. At
-- 1012000 the debt would be 238000: it is 250000, and 750 remain. The node has spent 100 and keeps
-- 50. 'first' becomes 0 and 'second', until 1030000, becomes 50. 100 come off the debt, which is
-- 150000 then.

-- Returns the bucket's own state and what is out of it, or nil if nothing is. That is a cell, and
-- the sums until its end and until the next one's. A text of another format counts as nothing at
-- all, with all that follows.
local function leases_off(text, now, steps_back)
  if not text or string.sub(text, 1, 1) ~= '~' then
    return text, nil
  end
  local cell, first, second, state = string.match(text, '^~(%d+):(%d+):(%d+);(.*)$')
  cell, first, second = whole(cell), whole(first), whole(second)
  if not (cell and first and second) then
    return nil, nil
  end
  local here = floor_div(now, GRID)
  if steps_back and cell > here + 3 then
    return state, { cell = here + 1, first = 0, second = first + second, jumped = true }
  end
  return state, { cell = cell, first = first, second = second }
end

-- Returns the leases that have not ended, as of the present cell, or of a later one that they are
-- dated to.
local function leases_live(out, now)
  local here = floor_div(now, GRID)
  if not out or out.cell < here - 1 then
    return { cell = here, first = 0, second = 0 }
  end
  if out.cell == here - 1 then
    return { cell = here, first = out.second, second = 0 }
  end
  return { cell = out.cell, first = out.first, second = out.second }
end

local function leases_on(live, state)
  if not state or live.first + live.second == 0 then
    return state
  end
  return string.format('~%.0f:%.0f:%.0f;', live.cell, live.first, live.second) .. state
end

--changes

-- Returns the sum that has a lease of this end in it, or nil.
local function leases_sum(live, ends)
  if ends == (live.cell + 1) * GRID then
    return 'first'
  end
  if ends == (live.cell + 2) * GRID then
    return 'second'
  end
  return nil
end
