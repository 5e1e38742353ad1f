package dev.weir.limit;

import dev.weir.internal.Expect;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A fixed window, or period. It grants at most a quota of L permits in each window, and exactly L
 * when saturated.
 */
public record FixedWindow(long quota, Window window) implements Limit {

  /**
   * @param quota at least 1, below 2^53
   * @throws IllegalArgumentException when the quota is out of its range
   */
  public FixedWindow {
    Objects.requireNonNull(window, "window");
    Expect.positive("quota", quota);
    if (quota >= BucketUnits.EXACT) {
      throw Expect.failure("quota", quota, "below 2^53");
    }
  }

  /** Returns a limit whose window starts at its first granted request, and lasts this long. */
  public static FixedWindow of(long quota, Duration length) {
    return new FixedWindow(quota, new FirstRequestWindow(length));
  }

  /** Returns a limit whose window is a unit of the calendar in a time zone, such as a day. */
  public static FixedWindow of(long quota, CalendarWindow.Unit unit, ZoneId zone) {
    return new FixedWindow(quota, new CalendarWindow(unit, zone));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.FIXED_WINDOW;
  }

  @Override
  public long capacity() {
    return quota;
  }

  @Override
  public Duration timeToFull() {
    return window.longest();
  }

  @Override
  public String toString() {
    return quota + " per " + window;
  }

  /** The rule for where windows begin and end. */
  public sealed interface Window permits FirstRequestWindow, CalendarWindow {

    /** Returns a length that no window of this kind exceeds. */
    Duration longest();
  }
}
