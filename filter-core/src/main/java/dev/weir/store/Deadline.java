package dev.weir.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time by which a reply is due. Immutable.
 *
 * <p>A deadline {@linkplain #after after now} is an instant. A deadline {@linkplain #within within
 * a time} is not an instant yet. It begins with the first store that has to wait for something. So
 * a decision that needs no wait reads no clock for it.
 *
 * @param hasBegun whether it is an instant
 * @param nanos the reading of {@link System#nanoTime} at which it passes; for a deadline that has
 *     not begun, how long it lasts
 */
public record Deadline(boolean hasBegun, long nanos) {

  /** The longest length: differences of readings stay in their range, and sums with them do too. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  /** Creates a deadline at this reading of {@link System#nanoTime}. */
  public Deadline(long nanoTime) {
    this(true, nanoTime);
  }

  /** Returns a deadline this long from now, or 73 years from now if that is less. */
  public static Deadline after(Duration time) {
    return within(time).begun();
  }

  /** Returns a deadline that lasts this long after it begins, or 73 years if that is less. */
  public static Deadline within(Duration time) {
    return new Deadline(false, Math.min(TimeUnit.NANOSECONDS.convert(time), LONGEST_NANOS));
  }

  /** Returns the same instant. A deadline that has not begun begins now. */
  public Deadline begun() {
    return hasBegun ? this : new Deadline(nanoTime());
  }

  /**
   * Returns the reading at which it passes. If it has not begun, the reading is as if it began now.
   */
  public long nanoTime() {
    return hasBegun ? nanos : System.nanoTime() + nanos;
  }

  /** Returns the nanoseconds that are left; zero or less once the deadline has passed. */
  public long remainingNanos() {
    return hasBegun ? nanos - System.nanoTime() : nanos;
  }

  public boolean hasPassed() {
    return remainingNanos() <= 0;
  }
}
