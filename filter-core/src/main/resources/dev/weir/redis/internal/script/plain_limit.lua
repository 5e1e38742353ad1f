-- The token bucket for drivers of any kind of limit. It is plain if possible, see plain_bucket.lua.
-- Otherwise it is limits.B, which bucket.lua creates when it is needed.

limits.b = setmetatable({
  numbers = 4,

  decide = function(state, now, permits, argv, i, steps_back, patience)
    if argv[i + 3] + 0 == 1 then
      local p, q, burst = argv[i + 1] + 0, argv[i + 2] + 0, argv[i + 4] + 0
      --include plain_bucket
      if remaining then
        return 1, remaining, 0, reset, now, lifetime(reset), changed
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
