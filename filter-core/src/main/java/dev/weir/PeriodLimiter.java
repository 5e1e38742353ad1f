package dev.weir;

import java.time.Duration;

/**
 * Limits each subject to a quota in each period of time.
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
public final class PeriodLimiter {

  private final Acquirer acquirer;

  private PeriodLimiter(Acquirer acquirer) {
    this.acquirer = acquirer;
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

  /**
   * The same for a limit in its one-line form, as {@link Limit#parse} reads it: {@code 1000 per day
   * window}.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not a fixed window
   */
  public static PeriodLimiter of(String name, String limit, LimitStore store) {
    if (Limit.parse(limit) instanceof FixedWindow parsed) {
      return of(name, parsed, store);
    }
    throw Expect.failure(
        "limit", "'" + limit + "'", "a fixed window such as '1000 per day window'");
  }

  /**
   * The same limiter with another time in which a decision is answered, whatever the store does.
   *
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public PeriodLimiter withDeadline(Duration deadline) {
    return new PeriodLimiter(acquirer.within(deadline));
  }

  /** The same limiter with another answer for when the store is gone. */
  public PeriodLimiter withOnOutage(OnOutage onOutage) {
    return new PeriodLimiter(acquirer.onOutage(onOutage));
  }

  /** Takes one permit if it can be had now. */
  public Decision acquire(Subject subject) {
    return acquire(subject, 1);
  }

  /**
   * Takes all these permits if they can be had now, or none.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision acquire(Subject subject, long permits) {
    return acquire(subject, permits, acquirer.deadline());
  }

  /**
   * The same with the caller's own deadline.
   *
   * @param deadline how long the decision may take, more than zero
   * @throws IllegalArgumentException when permits or the deadline is not positive
   */
  public Decision acquire(Subject subject, long permits, Duration deadline) {
    return acquirer.acquire(subject, permits, deadline);
  }

  /** The limiter's name and limit. */
  @Override
  public String toString() {
    return acquirer.name() + ": " + acquirer.limit();
  }
}
