package dev.weir.local;

import dev.weir.CalendarWindow;
import dev.weir.FirstRequestWindow;
import dev.weir.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** When a window in use ends. Immutable. */
sealed interface WindowEnd {

  boolean isPast(Moment now);

  /** More than zero while the end is not past. */
  long nanosLeft(Moment now);

  /** Microseconds that no other window of the counter ends at. */
  long stamp();

  /** The end of the window that a request opens now. */
  static WindowEnd of(Window window, Moment now) {
    if (window instanceof CalendarWindow calendar) {
      return Aligned.of(calendar, now);
    }
    if (window instanceof FirstRequestWindow first) {
      return Elapsed.of(first, now);
    }
    throw new IllegalArgumentException(
        "window: " + window + " (expected: a calendar's, or one from the first request)");
  }

  /** The end of a window of a fixed length: it waits while another store decides. */
  record Elapsed(long endNanos, long stamp) implements WindowEnd {

    static Elapsed of(FirstRequestWindow window, Moment now) {
      long lengthNanos = window.length().toNanos();
      return new Elapsed(now.nanos() + lengthNanos, (now.tickNanos() + lengthNanos) / 1_000);
    }

    @Override
    public boolean isPast(Moment now) {
      return now.nanos() >= endNanos;
    }

    @Override
    public long nanosLeft(Moment now) {
      return endNanos - now.nanos();
    }
  }

  /**
   * The end of a calendar's window. The calendar does not wait for anybody, and its clock may be
   * set: so the end is kept twice, on the calendar and on the clock that never stands and is never
   * set. It is past when the calendar says so; or when the window has lasted its time and the
   * calendar names another one. A clock set forward begins at most one window early, a clock set
   * back neither begins the same window again nor holds one for longer than a window lasts.
   */
  record Aligned(CalendarWindow window, Instant end, long endTickNanos) implements WindowEnd {

    static Aligned of(CalendarWindow window, Moment now) {
      Instant date = now.date();
      Instant end = window.at(date).end();
      return new Aligned(window, end, now.tickNanos() + nanosBetween(date, end));
    }

    @Override
    public boolean isPast(Moment now) {
      Instant date = now.date();
      if (!date.isBefore(end)) {
        return true;
      }
      return now.tickNanos() >= endTickNanos && !window.at(date).end().equals(end);
    }

    @Override
    public long nanosLeft(Moment now) {
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
