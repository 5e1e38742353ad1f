package dev.weir;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Whether and when the same request would fit a counter. */
public sealed interface Retry {

  /** It fits now. */
  record Now() implements Retry {}

  /**
   * It fits after this wait if nobody else takes the permits: no sooner, and no later. Of a
   * concurrency limit a store tells when it fits at the latest, and {@link Holds} an estimate.
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
     * The same, or 292 years if that is less.
     *
     * @throws IllegalArgumentException when the time is not positive
     */
    public After(Duration time) {
      this(positiveNanos(time));
    }

    private static long positiveNanos(Duration time) {
      if (time.isNegative() || time.isZero()) {
        throw Expect.failure("retry", time, "> 0");
      }
      return TimeUnit.NANOSECONDS.convert(time);
    }

    public Duration time() {
      return Duration.ofNanos(nanos);
    }
  }

  /** It never fits: it is larger than the limit's capacity. */
  record Never() implements Retry {}

  /** The only {@link Now} that is needed. */
  Retry NOW = new Now();

  /** The only {@link Never} that is needed. */
  Retry NEVER = new Never();
}
