package dev.weir.limit;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import java.time.Duration;
import java.util.Objects;

/**
 * A number of permits in a time, such as 100 per second or 1 per 30 days.
 *
 * @param permits at least 1
 * @param period whole microseconds, from 1 µs to 366 days
 */
public record Rate(long permits, Duration period) {

  /** The fastest accepted rate: 10 million permits per second, 10 per microsecond. */
  static final long MOST_PERMITS_PER_MICRO = 10;

  /**
   * @throws IllegalArgumentException when a number is out of its range, or the rate exceeds 10
   *     million per second
   */
  public Rate {
    Objects.requireNonNull(period, "period");
    Expect.positive("permits", permits);
    Spans.validate("period", period);
    if (permits > Spans.micros(period) * MOST_PERMITS_PER_MICRO) {
      throw Expect.failure(
          "rate", permits + " per " + Spans.print(period), "at most 10 million permits per second");
    }
  }

  /** Returns how long a whole period lasts, in microseconds. */
  public long periodMicros() {
    return Spans.micros(period);
  }

  /** Returns the rate as a limit is written: {@code 100 per second}, {@code 10 per 10 seconds}. */
  @Override
  public String toString() {
    return permits + " per " + Spans.print(period);
  }
}
