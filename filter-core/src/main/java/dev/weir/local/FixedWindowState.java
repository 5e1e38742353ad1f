package dev.weir.local;

import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.limit.CalendarWindow;
import dev.weir.limit.FirstRequestWindow;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.Window;
import dev.weir.local.NodeLimits.NodeLimit;
import dev.weir.local.Shards.Now;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A fixed window: the same windows on each node, with a smaller quota. */
final class FixedWindowState extends CounterState {

  private final Window window;

  /** The permits acquired in the window in use. */
  private long used;

  /** When the window in use ends; null when no window is in use. */
  private @Nullable WindowEnd end;

  private FixedWindowState(NodeLimit nodeLimit, Window window) {
    super(nodeLimit);
    this.window = window;
  }

  static FixedWindowState of(FixedWindow limit, int nodes, long dearest) {
    return new FixedWindowState(
        NodeLimits.share(limit, nodes, dearest, limit.quota() / nodes), limit.window());
  }

  @Override
  FixedWindowState unused(Now now) {
    return new FixedWindowState(nodeLimit(), window);
  }

  /**
   * Keeps the end of a window in use. If the windows differ, a new window starts with the same
   * consumption.
   */
  @Override
  void carryOver(CounterState next, Now now) {
    if (next instanceof FixedWindowState other && other.window.equals(window)) {
      other.used = used;
      other.end = end;
    } else if (used > 0) {
      next.take(used, now);
    }
  }

  @Override
  void age(Now now) {
    if (end != null && end.isPast(now)) {
      used = 0;
      end = null;
    }
  }

  @Override
  long available() {
    return capacity() - used;
  }

  @Override
  long nanosUntilFits(long permits, Now now) {
    return permits <= available() ? 0 : nanosUntilFull(now);
  }

  @Override
  long nanosUntilFull(Now now) {
    return end == null ? 0 : end.nanosLeft(now);
  }

  /** The first permits open a window. */
  @Override
  void take(long permits, Now now) {
    if (end == null) {
      end =
          window instanceof CalendarWindow calendar
              ? Aligned.of(calendar, now)
              : Elapsed.of((FirstRequestWindow) window, now);
    }
    used += permits;
  }

  @Override
  long acquire(long permits, CounterKey key, Now now) {
    take(permits, now);
    return stamp();
  }

  private long stamp() {
    return end == null ? 0 : end.stamp();
  }

  /** Refunds permits that were acquired in the window in use. */
  @Override
  void refund(long permits, long stamp, long granted) {
    if (stamp() == stamp) {
      reward(permits);
    }
  }

  /** A window ends early when nothing of it is taken any more, so that the counter is full. */
  @Override
  void reward(long permits) {
    used = Math.max(0, used - permits);
    if (used == 0) {
      end = null;
    }
  }

  /** The end of a window in use. Immutable. */
  private sealed interface WindowEnd {
    boolean isPast(Now now);

    /** Returns the time left, which is above zero while the end is not past. */
    long nanosLeft(Now now);

    /** Returns microseconds that no other window of the counter ends at. */
    long stamp();
  }

  /** The end of a window of a fixed length. It pauses while another store decides. */
  private record Elapsed(long endNanos, long stamp) implements WindowEnd {

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
  private record Aligned(CalendarWindow window, Instant end, long endTickNanos)
      implements WindowEnd {

    static Aligned of(CalendarWindow window, Now now) {
      Instant date = now.calendar().get();
      Instant end = window.at(date).end();
      return new Aligned(window, end, now.tickNanos() + nanosBetween(date, end));
    }

    @Override
    public boolean isPast(Now now) {
      Instant date = now.calendar().get();
      if (!date.isBefore(end)) {
        return true;
      }
      return now.tickNanos() >= endTickNanos && !window.at(date).end().equals(end);
    }

    @Override
    public long nanosLeft(Now now) {
      long calendarNanos = Math.max(1, nanosBetween(now.calendar().get(), end));
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
