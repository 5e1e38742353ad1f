-- A token bucket as all drivers know it: it asks lending_bucket.lua where it has lent, or is to lend.

local bucket = limits.b

-- Made when it is needed: most buckets have lent nothing.
local lending

local function lender()
  lending = lending or lending_bucket(bucket)
  return lending
end

local function bucket_of_state(state)
  if state and string.sub(state, 1, 1) == '~' then
    return lender()
  end
  return bucket
end

limits.b = {
  numbers = bucket.numbers,

  decide = function(state, ...)
    return bucket_of_state(state).decide(state, ...)
  end,

  give_back = function(state, ...)
    return bucket_of_state(state).give_back(state, ...)
  end,

  reward = function(state, ...)
    return bucket_of_state(state).reward(state, ...)
  end,

  owe = function(state, ...)
    return bucket_of_state(state).owe(state, ...)
  end,

  settle_lease = function(state, ...)
    return lender().settle_lease(state, ...)
  end,

  lend = function(state, ...)
    return lender().lend(state, ...)
  end,
}
