package dev.weir.local;

import dev.weir.limit.CalendarWindow;
import dev.weir.limit.FirstRequestWindow;
import dev.weir.limit.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The end of a window in use. Immutable. */
sealed interface WindowEnd {

  boolean isPast(Now now);

  /** Returns the time left, which is above zero while the end is not past. */
  long nanosLeft(Now now);

  /** Returns microseconds that no other window of the counter ends at. */
  long stamp();

  /** Returns the end of the window that a request opens now. */
  static WindowEnd of(Window window, Now now) {
    if (window instanceof CalendarWindow calendar) {
      return Aligned.of(calendar, now);
    }
    if (window instanceof FirstRequestWindow first) {
      return Elapsed.of(first, now);
    }
    throw new IllegalArgumentException(
        "window: " + window + " (expected: a calendar's, or one from the first request)");
  }

  /** The end of a window of a fixed length. It pauses while another store decides. */
  record Elapsed(long endNanos, long stamp) implements WindowEnd {

    static Elapsed of(FirstRequestWindow window, Now now) {
      long lengthNanos = window.length().toNanos();
      return new Elapsed(now.nanos() + lengthNanos, (now.tickNanos() + lengthNanos) / 1_000);
    }

    @Override
    public boolean isPast(Now now) {
      return now.nanos() >= endNanos;
    }

    @Override
    public long nanosLeft(Now now) {
      return endNanos - now.nanos();
    }
  }

  /**
   * The end of a calendar window. The calendar does not pause, and its clock may be set. The end is
   * therefore kept twice: on the calendar, and on the clock that never pauses and is never set. It
   * is past when the calendar says so. It is also past when the window has lasted its time and the
   * calendar is in another window. A clock set forward begins at most one window early. A clock set
   * back does not begin the same window again, and does not extend a window beyond its length.
   */
  record Aligned(CalendarWindow window, Instant end, long endTickNanos) implements WindowEnd {

    static Aligned of(CalendarWindow window, Now now) {
      Instant date = now.date();
      Instant end = window.at(date).end();
      return new Aligned(window, end, now.tickNanos() + nanosBetween(date, end));
    }

    @Override
    public boolean isPast(Now now) {
      Instant date = now.date();
      if (!date.isBefore(end)) {
        return true;
      }
      return now.tickNanos() >= endTickNanos && !window.at(date).end().equals(end);
    }

    @Override
    public long nanosLeft(Now now) {
      long calendarNanos = Math.max(1, nanosBetween(now.date(), end));
      long tickNanos = endTickNanos - now.tickNanos();
      return tickNanos > 0 ? Math.min(tickNanos, calendarNanos) : calendarNanos;
    }

    @Override
    public long stamp() {
      return ChronoUnit.MICROS.between(Instant.EPOCH, end);
    }

    private static long nanosBetween(Instant from, Instant to) {
      return Duration.between(from, to).toNanos();
    }
  }
}
