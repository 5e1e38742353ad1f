/**
 * Limits, subjects, decisions, and the interface behind which counters are kept.
 *
 * <p>This package knows neither HTTP nor Redis. A {@link dev.weir.limit.Limit} is an algorithm with
 * its numbers. A {@link dev.weir.Counter} is a limit applied to a {@link dev.weir.Subject}. A
 * {@link dev.weir.LimitStore} answers an {@link dev.weir.AcquireRequest} with a {@link
 * dev.weir.Decision}. Programs start with {@link dev.weir.TokenLimiter} and {@link
 * dev.weir.PeriodLimiter}, and with {@link dev.weir.ConcurrencyLimiter} for permits that are held.
 *
 * <p>The way of a request, from an adapter to Redis:
 *
 * <pre>
 * dev.weir.servlet   RateLimitFilter or its like in JAX-RS
 * dev.weir.http      RequestLimiter, RequestDecision, RuleDecider
 * dev.weir           WaitQueues, PermitManager, FailoverLimitStore
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
