package dev.weir.http.internal.schedule;

import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The times at which a rule applies: one range of a week, or several. Thread-safe.
 *
 * <p>Whether it is time changes only where a range begins or ends, or where a clock of its zone is
 * changed. So the reply is kept until the next of these instants, and a request costs one
 * comparison. Where the node's clock is set back, the reply is determined again.
 */
public final class Schedule {

  private final List<TimeRange> ranges;
  private final LongSupplier clockMillis;

  /** Immutable. Threads that race for it determine the same. */
  private volatile Period period = new Period(false, 0, 0);

  /** A time throughout which the reply is the same. */
  private record Period(boolean isActive, long fromMillis, long untilMillis) {}

  private Schedule(List<TimeRange> ranges, LongSupplier clockMillis) {
    this.ranges = List.copyOf(ranges);
    this.clockMillis = clockMillis;
  }

  /**
   * Returns the schedule of these ranges, such as {@code Mon-Fri 07:00-19:00 Europe/Berlin}, by the
   * clock of this node.
   *
   * @param ranges at least one
   * @throws IllegalArgumentException when one is malformed
   */
  public static Schedule parse(List<String> ranges) {
    return parse(ranges, System::currentTimeMillis);
  }

  /** Returns the schedule of these ranges, by this clock of milliseconds since 1970. */
  public static Schedule parse(List<String> ranges, LongSupplier clockMillis) {
    return new Schedule(ranges.stream().map(TimeRangeParser::parse).toList(), clockMillis);
  }

  /** Returns whether it is time, by the node's clock. */
  public boolean isActive() {
    return isActiveAt(now());
  }

  /** Returns the time in milliseconds since 1970, by the node's clock. */
  public long now() {
    return clockMillis.getAsLong();
  }

  /** Returns whether that is a time of this schedule, in milliseconds since 1970. */
  public boolean isActiveAt(long now) {
    Period known = period;
    if (now < known.fromMillis || now >= known.untilMillis) {
      known = periodAt(Instant.ofEpochMilli(now));
      period = known;
    }
    return known.isActive;
  }

  private Period periodAt(Instant now) {
    long until = Long.MAX_VALUE;
    boolean isActive = false;
    for (TimeRange range : ranges) {
      isActive |= range.contains(now);
      until = Math.min(until, range.nextChange(now).toEpochMilli());
    }
    return new Period(isActive, now.toEpochMilli(), until);
  }

  /** Returns the ranges as texts. */
  public List<String> texts() {
    return ranges.stream().map(TimeRange::toString).toList();
  }

  /** Returns whether both have the same ranges. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Schedule that && ranges.equals(that.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @Override
  public String toString() {
    return String.join(", ", texts());
  }
}
