-- A fixed window as most requests find it: in use, or over. As plain_bucket.lua, this is a block and
-- no function. All that it does not know is left to window.lua: above all a clock that has jumped,
-- and the bounds of a calendar.
--
-- The inputs are the locals `state` (a string or nil), `now`, `permits`, `quota`, `longest`, and
-- `ends`, where a window ends that begins now, or nil. The results are `fits`, nil if window.lua must
-- decide; `remaining`, `retry`, `reset`; `ends`, that of the window in use; and `changed`, the state
-- to store, nil for none. The code around this declares them.

local used = 0
if state then
  local its, until_then = match(state, '^(%d+):(%d+)$')
  its, until_then = its and its + 0, its and until_then + 0
  if not its or its >= EXACT or until_then >= EXACT or until_then > now + 2 * longest then
    used = nil
  elseif until_then > now then
    used, ends = its, until_then
  end
end
if used and ends then
  --include window_taken
  if fits == 1 and permits > 0 then
    changed = format(PAIR, used, ends)
  end
end
