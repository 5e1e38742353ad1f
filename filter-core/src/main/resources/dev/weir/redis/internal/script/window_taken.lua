-- Takes permits of a window, if they fit. The inputs are the locals `used` and `ends` of the window,
-- `now`, `permits` and `quota`. The results are `used` and the locals that the code around this
-- declares: `fits`, `remaining`, `retry` and `reset`.

fits, retry = 1, 0
if permits > quota then
  fits = -1
elseif permits > 0 and used + permits > quota then
  fits = 0
  retry = ends - now
else
  used = used + permits
end
remaining, reset = math.max(0, quota - used), 0
if used > 0 then
  reset = ends - now
end
