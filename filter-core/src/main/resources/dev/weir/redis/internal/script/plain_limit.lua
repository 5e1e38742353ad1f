-- The token bucket for drivers of any kind of limit. It is plain if possible, see plain_bucket.lua.
-- Otherwise it is limits.B, which bucket.lua creates when it is needed.

limits.b = setmetatable({
  numbers = 4,

  decide = function(state, now, permits, argv, i, steps_back, patience)
    if argv[i + 3] + 0 == 1 then
      local p, q, burst = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 4] + 0
      local fits, remaining, retry, reset, changed
      --include plain_bucket
      if fits == 1 then
        return 1, remaining, 0, reset, now, lifetime(reset), changed
      end
      if fits and patience == 0 then
        return 0, remaining, retry, reset, 0, 0, nil
      end
    end
    return limits.B.decide(state, now, permits, argv, i, steps_back, patience)
  end,
}, {
  -- any other entry
  __index = function(_, change)
    return limits.B[change]
  end,
})
