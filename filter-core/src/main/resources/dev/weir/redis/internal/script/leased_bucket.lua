-- The token bucket in full: it asks lending_bucket.lua where it has lent, or is to lend.

local bucket = limits.B

-- What the state of a bucket begins with that has lent.
local LENT = byte('~')

-- Made when it is needed: most buckets have lent nothing.
local lending

local function lender()
  lending = lending or lending_bucket(bucket)
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
    return bucket_decide(state, now, permits, argv, i, steps_back, patience, tokens)
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
