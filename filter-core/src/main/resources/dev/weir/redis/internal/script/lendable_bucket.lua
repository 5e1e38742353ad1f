-- The token bucket of bucket.lua, and in front of it lending_bucket.lua for a bucket that has lent
-- permits or must lend. It replaces the entry 'B'.

-- The bucket that does not lend.
local bucket = limits.B

-- The first byte of the state of a bucket that has lent permits.
local LENT = byte('~')

local function lending_bucket()
  --include leases
  --include lending_bucket
  return with_leases -- from that include
end

-- Created when it is needed: most buckets have lent nothing.
local lending

local function lender()
  lending = lending or lending_bucket()
  return lending
end

local function has_lent(state)
  return state and byte(state) == LENT
end

limits.B = setmetatable({
  numbers = bucket.numbers,

  decide = function(state, now, permits, argv, i, steps_back, patience)
    if has_lent(state) then
      return lender().decide(state, now, permits, argv, i, steps_back, patience)
    end
    return bucket_decide(state, now, permits, argv, i, steps_back, patience)
  end,
}, {
  -- any other entry
  __index = function(_, change)
    if not lender()[change] then
      return nil
    end
    return function(state, ...)
      if not bucket[change] or has_lent(state) then
        return lender()[change](state, ...)
      end
      return bucket[change](state, ...)
    end
  end,
})
