package dev.weir;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * By when an answer is due. Immutable.
 *
 * <p>One {@linkplain #after after now} is an instant. One {@linkplain #within within a time} is not
 * yet: it begins with the store that first has to wait for something, so that what is decided
 * without waiting reads no clock for it.
 *
 * @param hasBegun whether it is an instant
 * @param nanos the reading of {@link System#nanoTime} at which it passes; of one that has not
 *     begun, how long it lasts
 */
public record Deadline(boolean hasBegun, long nanos) {

  /** Differences of readings stay in their range, and sums with them too. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  /** At this reading of {@link System#nanoTime}. */
  public Deadline(long nanoTime) {
    this(true, nanoTime);
  }

  /** So long from now, or 73 years if that is less. */
  public static Deadline after(Duration time) {
    return within(time).begun();
  }

  /** So long from when it is begun, or 73 years if that is less. */
  public static Deadline within(Duration time) {
    return new Deadline(false, Math.min(TimeUnit.NANOSECONDS.convert(time), LONGEST_NANOS));
  }

  /** The same instant or, if it has not begun, the one that it is when it begins now. */
  public Deadline begun() {
    return hasBegun ? this : new Deadline(nanoTime());
  }

  /** The reading at which it passes; as if it began now, if it has not. */
  public long nanoTime() {
    return hasBegun ? nanos : System.nanoTime() + nanos;
  }

  /** How long is left, in nanoseconds; zero or less once the deadline has passed. */
  public long remainingNanos() {
    return hasBegun ? nanos - System.nanoTime() : nanos;
  }

  public boolean hasPassed() {
    return remainingNanos() <= 0;
  }
}
