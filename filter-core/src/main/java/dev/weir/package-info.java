/**
 * Limiters, and the stores that they share: what a program types. Start here:
 *
 * <pre>{@code
 * try (LimitStore store = Stores.redis("redis://localhost", "shop").open()) {
 *   MultiLimiter calls = MultiLimiter.of(store, "20 per second", "1000 per day window UTC");
 *   if (!calls.tryAcquire("user-42").allowed()) {
 *     System.out.println("later");
 *   }
 * }
 * }</pre>
 *
 * <p>{@link dev.weir.TokenLimiter}, {@link dev.weir.PeriodLimiter} and {@link
 * dev.weir.LeakyLimiter} limit each subject over time, {@link dev.weir.MultiLimiter} by several
 * limits at once. {@link dev.weir.ConcurrencyLimiter} limits what a subject holds at a time.
 *
 * <p>This package does not know HTTP. Only {@link dev.weir.Stores} names Redis. A {@link
 * dev.weir.limit.Limit} is an algorithm with its numbers. A {@link dev.weir.store.Counter} is a
 * limit applied to a {@link dev.weir.store.Subject}. A {@link dev.weir.store.LimitStore} answers an
 * {@link dev.weir.store.AcquireRequest} with a {@link dev.weir.store.Decision}.
 *
 * <p>The way of a request, from an adapter to Redis:
 *
 * <pre>
 * dev.weir.servlet   RateLimitFilter or its like in JAX-RS
 * dev.weir.config    WeirRuntime: the configuration of the request
 * dev.weir.http      RuleLimiter, RequestDecision, RuleStore
 * dev.weir           FailoverLimitStore
 * dev.weir.near      TokenLeaseStore, DenyCache
 * dev.weir.redis     RedisLimitStore, Decider, Router, Topology
 *   internal.client  PrimaryClient, PipelinedClient, Pipeline
 * </pre>
 *
 * <p>The reply comes back the same way: {@code DecisionReply} reads it, {@code RequestDecision}
 * concludes, {@code ResponseFields} chooses 429 or 503, and the adapter sends it. Requests that
 * wait or hold permits also pass {@code WaitQueues} and {@code PermitManager} of dev.weir.internal.
 *
 * <p>In an outage {@code FailoverLimitStore} turns to {@code LocalLimitStore} of dev.weir.local. No
 * other class decides what an outage means.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
