package dev.weir;

import java.time.Duration;

/** Whether and when the same request would fit a counter. */
public sealed interface Retry {

  /** It fits now. */
  record Now() implements Retry {}

  /**
   * It fits after this wait if nobody else takes the permits: no sooner, and no later.
   *
   * @param time more than zero
   */
  record After(Duration time) implements Retry {

    /**
     * @throws IllegalArgumentException when the time is not positive
     */
    public After {
      if (time.isNegative() || time.isZero()) {
        throw Expect.failure("retry", time, "> 0");
      }
    }
  }

  /** It never fits: it is larger than the limit's capacity. */
  record Never() implements Retry {}

  /** The only {@link Now} that is needed. */
  Retry NOW = new Now();

  /** The only {@link Never} that is needed. */
  Retry NEVER = new Never();
}
