-- Driver: settles a node's lease of one counter, and lends it permits anew.
--
-- KEYS[1]  the counter's key
-- ARGV[1]  the time, or empty for the server's; see clock.lua
-- ARGV[2]  the limit's letter
-- ARGV[3]  permits requested, 0 to settle alone
-- ARGV[4] to ARGV[7]  of the lease to settle: its name, the permits that are out, those kept and
--                      those returned; 0 each if there is none
-- ARGV[8]  onward: the limit's numbers
--
-- Reply: { lent, remaining, 0, reset, stamp, carried, ends, length }, or { -2, now } if the time is
-- outside the bounds that were sent. Remaining and reset are as in one.lua, after settling and
-- lending. Permits that are out do not remain. A refund of permits that were spent from this lease
-- names the stamp.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:hot '' b 400 0 0 0 0 1 1000 1 1000

local now, steps_back = clock()
local limit = limits[ARGV[2]]
local text = stored(redis.pcall('GET', KEYS[1]))
local lease = { ends = tonumber(ARGV[4]), out = tonumber(ARGV[5]) }
lease.kept, lease.back = tonumber(ARGV[6]), tonumber(ARGV[7])
local lent, remaining, reset, stamp, carried, ends, length, ttl, changed =
  renew_lease(limit, text, now, lease, tonumber(ARGV[3]), ARGV, 7, steps_back)
if lent == -2 then
  return { -2, now }
end
if changed then
  redis.call('SET', KEYS[1], changed, 'PX', string.format('%.0f', ttl))
elseif ends_early(redis.call('PTTL', KEYS[1]), reset) then
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', lifetime(reset)))
end
return { lent, remaining, 0, reset, math.max(stamp, now), carried, ends, length }
