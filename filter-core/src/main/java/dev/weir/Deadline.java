package dev.weir;

import java.time.Duration;

/**
 * An instant of {@link System#nanoTime} by which an answer is due.
 *
 * @param nanoTime the reading at which the deadline passes
 */
public record Deadline(long nanoTime) {

  /** So long from now. */
  public static Deadline after(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** How long is left, in nanoseconds; zero or less once the deadline has passed. */
  public long remainingNanos() {
    return nanoTime - System.nanoTime();
  }

  public boolean hasPassed() {
    return remainingNanos() <= 0;
  }
}
