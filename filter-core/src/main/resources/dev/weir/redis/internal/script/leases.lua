-- Leases, which stand between a block and a token bucket's own state: how much of it is out.
--
-- Model. A node that is asked for one subject again and again takes permits for its next few milliseconds
-- in one call, spends them in process, and settles with its next call. What it has taken and not told of
-- is out: it may be spent at any instant until the lease ends. The bucket has paid for it when it was
-- taken; but its debt falls with time, and without more care B permits could be taken from a full bucket
-- while those that are out are spent beside them. So while permits are out, the debt falls no lower than
-- they come to.
--
-- Invariant. What can be had of the bucket, and what is out, are together at most B. Let P be their sum.
-- Taking a lease moves permits from the one to the other; settling takes what was spent off P, and
-- giving back moves the rest the other way. P grows with time alone, by no more than r, and spending
-- makes it smaller by as much. So what is spent in an interval of length t is at most P at its beginning,
-- which is B or less, and r * t: the promise, whoever spent it and wherever.
--
-- Ends. A lease ends at the second multiple of GRID after it was taken, by the server's clock; the node
-- reckons its length from before it asked, so that for the node it ends no later. At its end it is out
-- no longer, whether the node lives or not: what a dead one held is lost to it and the debt falls from
-- there. All leases end on that grid, and two sums are enough for all nodes: what is out until the next
-- end, and until the one after it.
--
-- Settling. A node names the end of its lease, how much the server believes to be out on its behalf, how
-- much of that it keeps and how much it gives back; what is left was spent. That counts only while the
-- lease lives: all of it then leaves the sum that it stood in, what is kept is out until a new end, and
-- what is given back comes off the debt. A lease that has ended has nothing to settle: the node has
-- spent it or lost it. So a call that is late, or was lost, or comes twice to a server that has lost its
-- memory, gives nothing back that others may have by then. A node does not tell of a lease that is over
-- for it, since a clock that moves back may let others have one with the same end; and where the sum is
-- less than what the node tells of, its lease does not stand in it. While somebody waits in line, nothing is
-- given back: he keeps his instant, and newcomers should not run beside him.
--
-- Lending. No more than half of what is left, so that others find something; and never more out at
-- once than a quarter of B, which bounds what dead nodes cost. Nothing while somebody waits.
--
-- State. '~cell:first:second;' before the bucket's own: permits that are out until the end of this cell
-- of the grid, and until the end of the next one. When the last of them have ended it goes with the
-- next write.
--
-- Clock. Time that moves back makes leases longer, and those who hold them do not know; so it lets
-- nobody spend more. While what is out ends later than a lease that would be taken now, nothing is lent,
-- nor kept for longer: an end that comes a second time would be the name of two leases. When an end is
-- more than four cells away, the leases are dated to the end after the next but one, the first by which
-- all of them are over; and whoever holds one does so no more when his own end comes again. Time that
-- jumps ahead ends leases that nodes still spend: once, for less than two cells, up to a quarter of B
-- more is spent than was promised by a clock that jumps.
--
-- Example. 1000 per second, burst 1000: p = 1, q = 1000, tick 1. State nil, now 1000000, 400 are wanted:
-- a quarter of 1000 is lent until 1020000, state '~100:0:250;250000:1000000:1000'. At 1012000 the debt
-- would be 238000: it is 250000, and 750 remain. The node has spent 100 and keeps 50: first becomes 0
-- and second, until 1030000, 50; 100 come off the debt, which is 150000 then.

local GRID = 10000

-- The own state behind what is out, and that: a cell, and the sums until its end and the next one's; nil
-- when there is none. What nobody here has written counts as nothing at all, with all that follows.
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

-- Those that have not ended, as of the cell that holds now, or of a later one that they are dated to.
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

-- The sum that a lease of this end stands in, or nil.
local function leases_sum(live, ends)
  if ends == (live.cell + 1) * GRID then
    return 'first'
  end
  if ends == (live.cell + 2) * GRID then
    return 'second'
  end
  return nil
end

-- The end of a lease that is taken now.
local function leases_end(now)
  return (floor_div(now, GRID) + 2) * GRID
end

-- What is left of a bucket that is forgotten: what is out of it, which is spent whatever becomes of the
-- key; nil when nothing is. The own state but for that, as of now.
local function leases_reset(state, now, steps_back)
  local own, out = leases_off(state, now, steps_back)
  local live = leases_live(out, now)
  local units = whole(string.match(own or '', '^%d+:%d+:(%d+)'))
  if live.first + live.second == 0 or not units then
    return nil
  end
  local owed = (live.first + live.second) * units
  return leases_on(live, string.format('%.0f:%.0f:%.0f', owed, now, units))
end
