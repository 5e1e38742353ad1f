package dev.weir;

/**
 * Limits each subject to a quota in each period of time: a fixed window's, or any, wherever it
 * begins.
 *
 * <pre>{@code
 * PeriodLimiter exports = PeriodLimiter.of("exports", "10 per day window Europe/Berlin", store);
 * switch (Quota.of(exports.acquire(Subject.of("user", userId)))) {
 *   case ALLOWED -> export();
 *   case HIT_QUOTA -> exportAndSayItWasTheLast();
 *   case OVER_QUOTA -> sayTomorrow();
 * }
 * }</pre>
 *
 * <p>Acquiring never waits for permits and never throws for an outage. When the store cannot decide
 * by the deadline, the outage policy answers: by default the store's fallback decides; a store that
 * has none denies, with source {@link Source#CLOSED}.
 *
 * <p>Limiters are immutable and thread-safe, and cheap: one that is made anew counts in the same
 * place when its name and store are the same. The store is closed by whoever opened it.
 */
public final class PeriodLimiter extends Limiter<PeriodLimiter> {

  PeriodLimiter(Acquirer acquirer) {
    super(acquirer);
  }

  /**
   * A limiter with a deadline of 100 ms that falls back to limiting in process.
   *
   * @param name names the limit: limiters of one name share their counters
   * @throws IllegalArgumentException when the name is not one that {@link Counter} accepts
   */
  public static PeriodLimiter of(String name, FixedWindow limit, LimitStore store) {
    return new PeriodLimiter(Acquirer.of(name, limit, store));
  }

  /** The same for a window that slides. */
  public static PeriodLimiter of(String name, SlidingWindow limit, LimitStore store) {
    return new PeriodLimiter(Acquirer.of(name, limit, store));
  }

  /**
   * The same for a limit in its one-line form, as {@link Limit#parse} reads it: {@code 1000 per day
   * window} or {@code 30 per 10s sliding}.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not a window
   */
  public static PeriodLimiter of(String name, String limit, LimitStore store) {
    Limit parsed = Limit.parse(limit);
    if (parsed instanceof FixedWindow || parsed instanceof SlidingWindow) {
      return new PeriodLimiter(Acquirer.of(name, parsed, store));
    }
    throw Expect.failure(
        "limit",
        "'" + limit + "'",
        "a window such as '1000 per day window' or '30 per 10s sliding'");
  }

  /** Whether a quota was hit exactly is known only where it is counted. */
  @Override
  Terms atOnce() {
    return Terms.PRECISELY;
  }

  @Override
  PeriodLimiter asking(Acquirer acquirer) {
    return new PeriodLimiter(acquirer);
  }
}
