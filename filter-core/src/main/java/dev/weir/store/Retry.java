package dev.weir.store;

import dev.weir.internal.Expect;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The time at which the same request would fit a counter, if there is one. */
public sealed interface Retry {

  /** The request fits now. */
  record Now() implements Retry {}

  /**
   * The request fits after this wait if no other request takes the permits: no sooner, and no
   * later. For a concurrency limit, a store returns the latest time, and a limiter an estimate.
   *
   * @param nanos more than zero
   */
  record After(long nanos) implements Retry {

    /**
     * @throws IllegalArgumentException when the time is not positive
     */
    public After {
      Expect.positive("retry", nanos);
    }

    /**
     * Creates the same from a duration, or 292 years if that is less.
     *
     * @throws IllegalArgumentException when the time is not positive
     */
    public After(Duration time) {
      this(positiveNanos(time));
    }

    private static long positiveNanos(Duration time) {
      Expect.positive("retry", time);
      return TimeUnit.NANOSECONDS.convert(time);
    }

    public Duration time() {
      return Duration.ofNanos(nanos);
    }
  }

  /** The request never fits: it is larger than the limit's capacity. */
  record Never() implements Retry {}

  /** The only {@link Now} that is needed. */
  Retry NOW = new Now();

  /** The only {@link Never} that is needed. */
  Retry NEVER = new Never();
}
