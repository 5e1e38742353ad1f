package dev.weir;

import dev.weir.LimiterCore.NamedLimit;
import dev.weir.internal.Expect;
import dev.weir.internal.permit.Permits;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.util.function.UnaryOperator;

/**
 * A limiter of how many permits each subject holds at once, over all nodes. Immutable and
 * thread-safe. Keep one and close it in the end: it has a thread while anything is held. It does
 * not close its store.
 *
 * <pre>{@code
 * try (ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "4 concurrent")) {
 *   try (ConcurrencyPermits permits = exports.tryAcquire("user-42")) {
 *     if (permits.isHeld()) {
 *       System.out.println("exporting");
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>One daemon thread renews held permits until they are closed. The permits of a crashed process
 * return when their time to live is over. If a process is suspended for longer, others are granted
 * its permits. {@link ConcurrencyPermits#isHeld} and the listener report that.
 *
 * <p>Acquiring never throws for an outage. When the store cannot decide by the deadline, the outage
 * policy does. Permits are renewed and released in the store that granted them, even if another
 * store decides by then.
 *
 * <p>A denial's retry-after is an estimate. It is based on how long permits were recently held on
 * this node. It is at most the time until enough permits expire. A block of more than the time to
 * live is returned unchanged.
 */
public final class ConcurrencyLimiter
    extends AbstractLimiter<ConcurrencyPermits, ConcurrencyLimiter> implements AutoCloseable {

  private ConcurrencyLimiter(LimiterCore core) {
    super(core);
  }

  /** Returns a limiter of this process alone, as {@link #of(Limit)} does. */
  public static ConcurrencyLimiter of(String limit) {
    return of(Limit.parse(limit));
  }

  /** Returns a limiter of this process alone, whose limit is named by the text that it prints. */
  public static ConcurrencyLimiter of(Limit limit) {
    return of(limit.toString(), limit);
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static ConcurrencyLimiter of(String name, String limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static ConcurrencyLimiter of(String name, Limit limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter for a limit in its one-line form, as {@link Limit#parse} reads it. */
  public static ConcurrencyLimiter of(String name, String limit, LimitStore store) {
    return of(name, Limit.parse(limit), store);
  }

  /**
   * Returns a limiter with a deadline of 100 ms. In an outage the store's fallback limits, and a
   * store without one denies.
   *
   * @param name names the limit: limiters of one name and store share their counters
   * @param limit a {@link Concurrency}
   * @throws IllegalArgumentException when {@link Counter} does not accept the name, or the limit is
   *     not a concurrency limit
   */
  public static ConcurrencyLimiter of(String name, Limit limit, LimitStore store) {
    if (!(limit instanceof Concurrency)) {
      throw Expect.failure("limit", "'" + limit + "'", "a limit such as '4 concurrent'");
    }
    return new ConcurrencyLimiter(LimiterCore.of(name, limit, store));
  }

  /** Returns this limiter with one more limit, as {@link #withLimit(String, Limit)} does. */
  public ConcurrencyLimiter withLimit(String name, String limit) {
    return withLimit(name, Limit.parse(limit));
  }

  /**
   * Returns this limiter with one more limit of any algorithm. A request is charged to all limits
   * or to none. Closing returns the permits of concurrency limits; those of other limits stay
   * spent.
   *
   * @throws IllegalArgumentException when {@link Counter} does not accept the name, or another
   *     limit of this limiter has it
   */
  public ConcurrencyLimiter withLimit(String name, Limit limit) {
    return withLimit(name, limit, UnaryOperator.identity());
  }

  /**
   * Returns the same with a limit that counts another subject.
   *
   * @param counted returns the subject of the new limit for that of a request, as for {@link
   *     MultiLimiter.Builder#limit(String, Limit, UnaryOperator)}
   */
  public ConcurrencyLimiter withLimit(String name, Limit limit, UnaryOperator<Subject> counted) {
    return with(core.and(new NamedLimit(name, limit, counted)));
  }

  @Override
  ConcurrencyPermits decide(AcquireRequest request) {
    return result(core.permitManager().decide(request));
  }

  @Override
  ConcurrencyPermits result(Permits permits) {
    return new ConcurrencyPermits(permits);
  }

  @Override
  Decision decision(ConcurrencyPermits permits) {
    return permits.decision();
  }

  @Override
  ConcurrencyLimiter with(LimiterCore newCore) {
    return new ConcurrencyLimiter(newCore);
  }

  /**
   * Stops all renewals, also of limiters derived from this one, so close it after the last permits.
   * Those that are still held return when their time to live is over, or when they are closed. So
   * do permits that are acquired later, which is not refused.
   */
  @Override
  public void close() {
    core.permitManager().close();
  }
}
