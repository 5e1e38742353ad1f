/**
 * Counters that all nodes share, in Redis.
 *
 * <p>{@link dev.weir.redis.RedisLimitStore} decides by Lua scripts, each atomic in Redis. It
 * returns by the deadline whatever Redis, the network or a name server does. While its breaker is
 * open, it fails at once.
 *
 * <p>For readers of the source: a decision passes through the store, {@code Decider}, {@code
 * Router} and {@code Topology}. {@code Commands} of {@code internal.script} writes its {@code
 * ScriptCall}. In {@code internal.client} it passes through {@code PrimaryClient}, {@code
 * PipelinedClient} and {@code Pipeline}. All but the store are internal.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
