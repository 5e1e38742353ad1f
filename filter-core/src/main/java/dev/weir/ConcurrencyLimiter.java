package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Mode;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;

/**
 * A limiter of how many permits each subject holds at once, over all nodes.
 *
 * <pre>{@code
 * ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "4 concurrent", store);
 * try (ConcurrencyPermits permits = exports.tryAcquire(Subject.of("user", userId))) {
 *   if (permits.isHeld()) {
 *     export();
 *   }
 * }
 * }</pre>
 *
 * <p>One daemon thread renews held permits until they are closed. The permits of a crashed process
 * return when their time to live is over. If a process is suspended for longer, others are granted
 * its permits. {@link ConcurrencyPermits#isHeld} and the listener report that.
 *
 * <p>Acquiring never waits for permits and never throws for an outage. When the store cannot decide
 * by the deadline, the outage policy does. Permits are renewed and released in the store that
 * granted them, even if another store decides by then.
 *
 * <p>A denial's retry-after is an estimate. It is based on how long permits were recently held on
 * this node. It is at most the time until enough permits expire. A block of more than the time to
 * live is returned unchanged.
 *
 * <p>Limiters are immutable and thread-safe. Keep a limiter and reuse it: it has a thread while
 * anything is held, and must be closed. It does not close the store.
 */
public final class ConcurrencyLimiter implements AutoCloseable {

  private final LimiterCore core;

  private ConcurrencyLimiter(LimiterCore core) {
    this.core = core;
  }

  /**
   * Returns a limiter with a deadline of 100 ms that falls back to limiting in process.
   *
   * @param name names the limit: limiters of one name share their counters
   * @throws IllegalArgumentException when {@link Counter} does not accept the name
   */
  public static ConcurrencyLimiter of(String name, Concurrency limit, LimitStore store) {
    return new ConcurrencyLimiter(LimiterCore.of(name, limit, store));
  }

  /**
   * Returns the same for a limit in its one-line form, as {@link Limit#parse} reads it: {@code 4
   * concurrent} or {@code 4 concurrent, ttl 10s}.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not a concurrency limit
   */
  public static ConcurrencyLimiter of(String name, String limit, LimitStore store) {
    if (Limit.parse(limit) instanceof Concurrency parsed) {
      return of(name, parsed, store);
    }
    throw Expect.failure("limit", "'" + limit + "'", "a limit such as '4 concurrent'");
  }

  /**
   * Returns this limiter with another deadline for decisions, renewals and releases.
   *
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public ConcurrencyLimiter withDeadline(Duration deadline) {
    return new ConcurrencyLimiter(core.within(deadline));
  }

  /** Returns this limiter with another outage policy. */
  public ConcurrencyLimiter withOnOutage(OnOutage onOutage) {
    return new ConcurrencyLimiter(core.onOutage(onOutage));
  }

  /** Returns this limiter with a listener that is notified of lost permits. */
  public ConcurrencyLimiter withListener(LimiterListener listener) {
    return new ConcurrencyLimiter(core.reportingTo(listener));
  }

  /** Acquires one permit if it is available now, to be held until it is closed. */
  public ConcurrencyPermits tryAcquire(Subject subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Acquires all these permits if they are available now, or none.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public ConcurrencyPermits tryAcquire(Subject subject, long permits) {
    return new ConcurrencyPermits(
        core.permitManager().decide(core.request(subject, permits, Mode.EXACTLY)));
  }

  /**
   * Returns the current state, and what {@link #tryAcquire(Subject)} would return. Takes nothing.
   */
  public Decision peek(Subject subject) {
    return core.permitManager().decide(core.request(subject, 1, Mode.PEEK)).decision();
  }

  /**
   * Forgets the holders of this subject's permits, and a block. Use it when the holders are known
   * to be gone. Remaining holders lose their permits at the next renewal, and can release nothing.
   *
   * @throws StoreUnavailableException as for {@link TokenLimiter#reset}
   */
  public void reset(Subject subject) throws StoreUnavailableException {
    core.adjust(new Adjustment.Reset(core.counter(subject)));
  }

  /**
   * Denies a subject everything of this limit for a time from now. Held permits stay held.
   *
   * @param duration whole microseconds, up to 366 days
   * @throws IllegalArgumentException when the duration is out of its range
   * @throws StoreUnavailableException as for {@link TokenLimiter#block}
   */
  public void block(Subject subject, Duration duration) throws StoreUnavailableException {
    core.adjust(new Adjustment.Block(core.counter(subject), duration));
  }

  /**
   * Stops all renewals, also of limiters derived from this one. Held permits return when their time
   * to live is over, or when they are closed.
   */
  @Override
  public void close() {
    core.permitManager().close();
  }

  /** Returns the limiter's name and limit. */
  @Override
  public String toString() {
    return core.name() + ": " + core.limit();
  }
}
