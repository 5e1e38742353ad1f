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
 * <p>The text {@code 20 per second} is a token bucket. It grants 20 requests at once, and up to 40
 * in the first second. {@link dev.weir.limit.Limit#parse} has the texts of limits that grant no
 * more than their number in any second.
 *
 * <p>This package does not know HTTP. Only {@link dev.weir.Stores} names Redis. A {@link
 * dev.weir.limit.Limit} is an algorithm with its numbers. A {@link dev.weir.store.Counter} is a
 * limit applied to a {@link dev.weir.store.Subject}. A {@link dev.weir.store.LimitStore} answers an
 * {@link dev.weir.store.AcquireRequest} with a {@link dev.weir.store.Decision}.
 *
 * <p><b>How a decision is made.</b> A limiter passes a request to its store. A store that {@link
 * dev.weir.Stores} opens is several stores, each around the next. The outermost is {@link
 * dev.weir.FailoverLimitStore}. It has the request decided by Redis, or by {@link
 * dev.weir.local.LocalLimitStore} in an outage. On the way to Redis, {@link
 * dev.weir.near.TokenLeaseStore} grants leased permits, and {@link dev.weir.near.DenyCache} repeats
 * denials. All other requests reach {@link dev.weir.redis.RedisLimitStore}, where a script decides.
 * The decision returns the same way.
 *
 * <p><b>What an outage means.</b> {@link dev.weir.store.OnOutage} is the policy of a request.
 * {@link dev.weir.FailoverLimitStore} applies it. A store without a fallback throws, and so does a
 * closed one. The limiter then applies the policy without counting: all but {@link
 * dev.weir.store.OnOutage#ALLOW} deny.
 *
 * <p><b>For readers of the source.</b> A request for HTTP passes these types, from an adapter to
 * Redis. Most of them are internal: they have no page here, and may change with any release. Each
 * module is in bold type, its packages are below it.
 *
 * <pre>
 * <b>servlet-filter, jaxrs-provider</b>
 * dev.weir.servlet        RateLimitFilter; in dev.weir.jaxrs, RateLimitProvider
 *
 * <b>filter-rules</b>
 * dev.weir.config         WeirRuntime: the configuration of the request
 *                         WiredStores: wires the stores of filter-core
 * dev.weir.http           RuleLimiter, RequestDecision
 *                         ChargeResolver: what each rule charges
 *   internal.decide       RuleStore: from rules to a store
 *
 * <b>filter-core</b>
 * dev.weir.internal.store ObservedLimitStore: notifies the listener
 * dev.weir                FailoverLimitStore
 * dev.weir.near           TokenLeaseStore, DenyCache
 * dev.weir.redis          RedisLimitStore, Decider, Router, Topology
 *   internal.script       Commands, ScriptCall; decide.lua, or batch.lua for a batch
 *   internal.client       PrimaryClient, PipelinedClient, Pipeline, RedisConnection
 * </pre>
 *
 * <p>The reply comes back the same way. {@code BatchReplies} of internal.client completes the calls
 * of a batch. {@code DecisionReply} of internal.script reads a reply. {@code RequestDecision}
 * concludes, {@code ResponseFields} of dev.weir.http.internal.response makes the response, and the
 * adapter sends it. Requests that wait also pass {@code WaitQueues} of dev.weir.internal.wait.
 * Requests that hold permits pass {@code PermitManager} of dev.weir.internal.permit.
 *
 * <p>A limiter of this package enters at {@code LimiterCore}, and its store is wired by {@link
 * dev.weir.Stores}. In an outage {@code FailoverLimitStore} turns to {@code LocalLimitStore}. Where
 * there is no fallback, {@code Decision.uncounted} has what the policy means.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
