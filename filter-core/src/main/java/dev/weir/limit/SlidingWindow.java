package dev.weir.limit;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import java.time.Duration;
import java.util.Objects;

/**
 * A sliding window: at most a quota of L permits in <em>every</em> window of a length W, wherever
 * it begins.
 *
 * <p>Time is cut into sub-windows of W/k, rounded up to a microsecond. A permit counts from its
 * sub-window until k more have ended. So every window of length W lies within what is counted
 * together. For that the oldest sub-window counts as a whole, and permits return up to W/k late.
 * From empty and saturated, at least n·L permits are granted by the end of n·(k+1) sub-windows.
 * More sub-windows return permits sooner, and use more memory.
 *
 * @param quota at least 1, below 2^53
 * @param length whole microseconds, up to 366 days
 * @param subWindows from 1 to 60, and not more than the length has microseconds
 */
public record SlidingWindow(long quota, Duration length, int subWindows) implements Limit {

  /** The default number of sub-windows. */
  public static final int SUB_WINDOWS = 10;

  /** The largest number of sub-windows. */
  public static final int MOST_SUB_WINDOWS = 60;

  /**
   * @throws IllegalArgumentException when a number is out of its range
   */
  public SlidingWindow {
    Objects.requireNonNull(length, "length");
    Expect.positive("quota", quota);
    if (quota >= BucketUnits.EXACT) {
      throw Expect.failure("quota", quota, "below 2^53");
    }
    Spans.validate("window", length);
    long most = Math.min(MOST_SUB_WINDOWS, Spans.micros(length));
    if (subWindows < 1 || subWindows > most) {
      throw Expect.failure("sub-windows", subWindows, "1 to " + most);
    }
  }

  /**
   * Returns a window with {@value #SUB_WINDOWS} sub-windows, or with one for each microsecond if
   * there are fewer.
   */
  public static SlidingWindow of(long quota, Duration length) {
    return new SlidingWindow(quota, length, (int) Math.min(SUB_WINDOWS, Spans.micros(length)));
  }

  /** Returns a window of so many permits in any second. */
  public static SlidingWindow perSecond(long quota) {
    return of(quota, Duration.ofSeconds(1));
  }

  /** Returns a window of so many permits in any minute. */
  public static SlidingWindow perMinute(long quota) {
    return of(quota, Duration.ofMinutes(1));
  }

  /** Returns a window of so many permits in any hour. */
  public static SlidingWindow perHour(long quota) {
    return of(quota, Duration.ofHours(1));
  }

  /** Returns a window of so many permits in any day of 24 hours. */
  public static SlidingWindow perDay(long quota) {
    return of(quota, Duration.ofDays(1));
  }

  /** Returns how long a sub-window lasts: whole microseconds. */
  public Duration subWindow() {
    return Spans.ofMicros(-Math.floorDiv(-Spans.micros(length), (long) subWindows));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.SLIDING_WINDOW;
  }

  @Override
  public long capacity() {
    return quota;
  }

  @Override
  public Duration timeToFull() {
    return subWindow().multipliedBy(subWindows + 1L);
  }

  /** Returns what {@link Limit#parse} reads, such as {@code 30 per 10 seconds sliding}. */
  @Override
  public String toString() {
    String text = quota + " per " + Spans.print(length) + " sliding";
    return equals(of(quota, length)) ? text : text + ", sub-windows " + subWindows;
  }
}
