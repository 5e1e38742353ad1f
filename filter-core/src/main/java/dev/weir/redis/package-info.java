/**
 * Counters that all nodes share, in Redis.
 *
 * <p>{@link dev.weir.redis.RedisLimitStore} decides by Lua scripts, each atomic in Redis; it
 * answers by the deadline whatever Redis, the network or a name server does, and says at once that
 * it cannot decide while its breaker is open.
 *
 * <p>A decision goes from the store to {@code Decider}, {@code Router}, {@code Topology}, and in
 * {@code internal.client} to {@code PrimaryClient}, {@code PipelinedClient} and {@code Pipeline}.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
