/**
 * Limiters: what a program types. {@link dev.weir.TokenLimiter}, {@link dev.weir.PeriodLimiter} and
 * {@link dev.weir.LeakyLimiter} limit each subject over time, {@link dev.weir.ConcurrencyLimiter}
 * limits what it holds at once.
 *
 * <p>This package knows neither HTTP nor Redis. A {@link dev.weir.limit.Limit} is an algorithm with
 * its numbers. A {@link dev.weir.store.Counter} is a limit applied to a {@link
 * dev.weir.store.Subject}. A {@link dev.weir.store.LimitStore} answers an {@link
 * dev.weir.store.AcquireRequest} with a {@link dev.weir.store.Decision}.
 *
 * <p>The way of a request, from an adapter to Redis:
 *
 * <pre>
 * dev.weir.servlet   RateLimitFilter or its like in JAX-RS
 * dev.weir.http      RequestLimiter, RequestDecision, RuleStore
 * dev.weir.internal  wait.WaitQueues, permit.PermitManager
 * dev.weir           FailoverLimitStore
 * dev.weir.near      TokenLeaseStore, DenyCache
 * dev.weir.redis     RedisLimitStore, Decider, Router, Topology
 *   internal.client  PrimaryClient, PipelinedClient, Pipeline
 * </pre>
 *
 * <p>In an outage {@code FailoverLimitStore} turns to {@code LocalLimitStore} of dev.weir.local.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
