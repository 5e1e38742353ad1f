/**
 * Counters that all nodes share, in Redis.
 *
 * <p>{@link dev.weir.redis.RedisLimitStore} decides by Lua scripts, each atomic in Redis; it
 * answers by the deadline whatever Redis, the network or a name server does, and says at once that
 * it cannot decide while its breaker is open.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
