-- Driver: forgets one counter, and what blocks it.
--
-- KEYS[1]  the counter's key
--
-- Reply: 1, or 0 where there was nothing to forget.
--
-- Example: EVALSHA sha 1 shop:{dGhlIHN1YmplY3Q}b:login

return redis.call('DEL', KEYS[1])
