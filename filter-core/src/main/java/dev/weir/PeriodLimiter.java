package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.Mode;
import dev.weir.store.Source;

/**
 * A limiter of each subject to a quota in each period of time. The period is that of a fixed
 * window, or any period of that length, wherever it begins.
 *
 * <pre>{@code
 * PeriodLimiter exports = PeriodLimiter.of("exports", "10 per day window Europe/Berlin", store);
 * switch (QuotaStatus.of(exports.tryAcquire(Subject.of("user", userId)))) {
 *   case ALLOWED -> export();
 *   case HIT_QUOTA -> exportAndSayItWasTheLast();
 *   case OVER_QUOTA -> sayTomorrow();
 * }
 * }</pre>
 *
 * <p>Acquiring never waits for permits and never throws for an outage. When the store cannot decide
 * by the deadline, the outage policy does. By default, the store's fallback decides. A store
 * without a fallback denies, with source {@link Source#CLOSED}.
 *
 * <p>Limiters are immutable, thread-safe and cheap. A new limiter counts in the same place when its
 * name and store are the same. The owner of the store must close it.
 */
public final class PeriodLimiter extends Limiter<PeriodLimiter> {

  PeriodLimiter(LimiterCore core) {
    super(core);
  }

  /**
   * Returns a limiter with a deadline of 100 ms that falls back to limiting in process.
   *
   * @param name names the limit: limiters of one name share their counters
   * @throws IllegalArgumentException when {@link Counter} does not accept the name
   */
  public static PeriodLimiter of(String name, FixedWindow limit, LimitStore store) {
    return new PeriodLimiter(LimiterCore.of(name, limit, store));
  }

  /** Returns the same for a sliding window. */
  public static PeriodLimiter of(String name, SlidingWindow limit, LimitStore store) {
    return new PeriodLimiter(LimiterCore.of(name, limit, store));
  }

  /**
   * Returns the same for a limit in its one-line form, as {@link Limit#parse} reads it: {@code 1000
   * per day window} or {@code 30 per 10s sliding}.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not a window
   */
  public static PeriodLimiter of(String name, String limit, LimitStore store) {
    Limit parsed = Limit.parse(limit);
    if (parsed instanceof FixedWindow || parsed instanceof SlidingWindow) {
      return new PeriodLimiter(LimiterCore.of(name, parsed, store));
    }
    throw Expect.failure(
        "limit",
        "'" + limit + "'",
        "a window such as '1000 per day window' or '30 per 10s sliding'");
  }

  /** Bypasses leases: only an exact count shows whether a request hit the quota exactly. */
  @Override
  Mode atOnce() {
    return Mode.BYPASS_LEASES;
  }

  @Override
  PeriodLimiter with(LimiterCore core) {
    return new PeriodLimiter(core);
  }
}
