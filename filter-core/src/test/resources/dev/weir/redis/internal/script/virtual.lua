-- Test driver: decisions and leases at given times, over counters with a TTL that passes by those
-- times too.
--
-- Model. Each step does what decide.lua and adjust.lua do. But Redis lets keys end by its own clock,
-- and given time may pass more slowly or faster. So states are kept in a hash, each behind the time
-- at which its key would have ended. A state that has ended is not there.
--
-- KEYS[1]  the hash
-- ARGV     steps, each beginning with its kind, their times in order:
--
--   d  time, name, limit's letter, permits, the limit's numbers: a decision
--   a  time, name, limit's letter, wanted, ends, out, kept, back, the limit's numbers: a lease
--
-- Reply: for each step the integers that decide.lua or adjust.lua replies.
--
-- Example: EVALSHA sha 1 shop d 5000000 alice b 1 1 1000000 1 5

--include numbers
--include prelude with changes
--include keys
--include blocks with changes
--include limits with changes

local replies, i, now = {}, 1, 0

local function stored_at(name)
  local ends, text = string.match(redis.call('HGET', KEYS[1], name) or '', '^(%d+);(.*)$')
  if ends and tonumber(ends) > now then
    return text, tonumber(ends)
  end
  return nil, 0
end

local function store(name, text, ttl)
  redis.call('HSET', KEYS[1], name, string.format('%.0f;', now + ttl * 1000) .. text)
end

local function finish(name, text, ends, reset, ttl, changed)
  if changed then
    store(name, changed, ttl)
  elseif text and ends_early(floor_div(ends - now, 1000), reset) then
    store(name, text, lifetime(reset))
  end
end

local kinds = {
  d = function(name, limit)
    local text, ends = stored_at(name)
    local permits, numbers = tonumber(ARGV[i + 4]), i + 4
    local fits, remaining, retry, reset, stamp, ttl, changed =
      decide(limit, text, now, permits, ARGV, numbers, false)
    finish(name, text, ends, reset, ttl, changed)
    replies[#replies + 1] = { fits, remaining, retry, reset, stamp }
    i = numbers + limit.numbers + 1
  end,

  a = function(name, limit)
    local text, ends = stored_at(name)
    local lease = { ends = tonumber(ARGV[i + 5]), out = tonumber(ARGV[i + 6]) }
    lease.kept, lease.back = tonumber(ARGV[i + 7]), tonumber(ARGV[i + 8])
    local numbers = i + 8
    local wanted = tonumber(ARGV[i + 4])
    local lent, remaining, reset, stamp, carried, lease_ends, length, ttl, changed =
      renew_lease(limit, text, now, lease, wanted, ARGV, numbers, false)
    finish(name, text, ends, reset, ttl, changed)
    replies[#replies + 1] =
      { lent, remaining, 0, reset, math.max(stamp, now), carried, lease_ends, length }
    i = numbers + limit.numbers + 1
  end,
}

while i <= #ARGV do
  now = tonumber(ARGV[i + 1])
  kinds[ARGV[i]](ARGV[i + 2], limits[ARGV[i + 3]])
end
return replies
