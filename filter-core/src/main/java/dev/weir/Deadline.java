package dev.weir;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * An instant of {@link System#nanoTime} by which an answer is due.
 *
 * @param nanoTime the reading at which the deadline passes
 */
public record Deadline(long nanoTime) {

  /** Differences of readings stay in their range, and sums with them too. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  /** So long from now, or 73 years if that is less. */
  public static Deadline after(Duration time) {
    long nanos = Math.min(TimeUnit.NANOSECONDS.convert(time), LONGEST_NANOS);
    return new Deadline(System.nanoTime() + nanos);
  }

  /** How long is left, in nanoseconds; zero or less once the deadline has passed. */
  public long remainingNanos() {
    return nanoTime - System.nanoTime();
  }

  public boolean hasPassed() {
    return remainingNanos() <= 0;
  }
}
