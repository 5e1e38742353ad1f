package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.FixedWindow.FirstRequestWindow;
import dev.weir.limit.FixedWindow.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fixed window: the same windows on each node, with a smaller quota. Windows follow each other
 * without a gap while a debt is owed.
 */
final class FixedWindowState extends CounterState {

  private final Window window;
  private final Supplier<Instant> calendar;

  /** The permits taken in the window in use, and what later windows owe. */
  private long used;

  /** How much of it is a debt that later windows start with. */
  private long owed;

  /** How much of it is a debt that the window in use has started with. */
  private long carried;

  /** The stamp of the last request that has left a debt. */
  private long debtStamp;

  /** When the window in use ends; null when no window is in use. */
  private @Nullable WindowEnd end;

  private FixedWindowState(NodeLimit share, Window window, Supplier<Instant> calendar) {
    super(share);
    this.window = window;
    this.calendar = calendar;
  }

  static FixedWindowState of(FixedWindow limit, int nodes, Supplier<Instant> calendar) {
    NodeLimit share = NodeLimit.of(limit, nodes, limit.quota() / nodes);
    return new FixedWindowState(share, limit.window(), calendar);
  }

  @Override
  FixedWindowState unused() {
    return new FixedWindowState(share(), window, calendar);
  }

  /**
   * Keeps the end of a window in use. If the windows differ, a new window starts with the same
   * consumption.
   */
  @Override
  void carryOver(CounterState next) {
    if (next instanceof FixedWindowState other && other.window.equals(window)) {
      other.end = end;
      other.setUsed(used, owed);
      other.carried = Math.min(carried, other.used);
      other.debtStamp = debtStamp;
    } else if (used > 0) {
      next.inherit(used, owed);
    }
  }

  @Override
  void inherit(long taken, long debt) {
    take(taken);
    setUsed(used, debt);
  }

  /** Keeps no more of a debt than the limit's numbers let one request owe. */
  private void setUsed(long taken, long debt) {
    long kept = Math.min(debt, share().limit().capacity());
    used = taken - (debt - kept);
    owed = Math.min(kept, Math.max(0, used - capacity()));
  }

  @Override
  void age() {
    while (end != null && end.isPast(this)) {
      used = owed;
      carried = owed;
      owed = Math.max(0, owed - capacity());
      end = used == 0 ? null : end.next(this);
    }
  }

  @Override
  long available() {
    return capacity() - used;
  }

  @Override
  long nanosUntilFits(long permits) {
    return permits <= available() ? 0 : nanosUntilWindowFor(permits);
  }

  /** The share of a window is free while nothing was taken but what an earlier debt left of it. */
  @Override
  long nanosUntilFree() {
    return used == carried ? nanosUntilFits(1) : nanosUntilWindowFor(1);
  }

  @Override
  long nanosUntilFull() {
    return end == null ? 0 : nanosUntilWindowFor(capacity());
  }

  /** Returns the time until a later window starts with so many permits, at most the share. */
  private long nanosUntilWindowFor(long permits) {
    long missing = Math.max(0, owed - (capacity() - permits));
    long windows = TokenBucketState.ceilDiv(missing, capacity());
    return end == null ? 0 : end.nanosLeft(windows, this);
  }

  /** The first permits open a window. */
  @Override
  void take(long permits) {
    if (end == null) {
      end =
          window instanceof CalendarWindow aligned
              ? Aligned.of(aligned, this)
              : Elapsed.of((FirstRequestWindow) window, this);
    }
    used += permits;
  }

  @Override
  long acquire(long permits, long delayNanos, CounterKey key) {
    take(permits);
    if (used > capacity()) {
      owed = used - capacity();
      debtStamp = stamp();
    }
    return stamp();
  }

  private long stamp() {
    return end == null ? 0 : end.stamp();
  }

  /** Refunds permits that were acquired in the window in use, and what is still owed of others. */
  @Override
  void refund(long permits, long stamp, long granted) {
    if (stamp() == stamp) {
      reward(permits);
    } else if (debtStamp == stamp) {
      reward(Math.min(permits, carried));
    }
  }

  /** A window ends early when nothing of it is taken any more, so that the counter is full. */
  @Override
  void reward(long permits) {
    used = Math.max(0, used - permits);
    owed = Math.min(owed, Math.max(0, used - capacity()));
    carried = Math.min(carried, used);
    if (used == 0) {
      end = null;
    }
  }

  /** The end of a window in use. Immutable. */
  private sealed interface WindowEnd {
    boolean isPast(FixedWindowState state);

    /** Returns the end of the window that follows this one, which is past. */
    WindowEnd next(FixedWindowState state);

    /**
     * Returns the time until so many more windows have ended. It is above zero while this end is
     * not past.
     */
    long nanosLeft(long moreWindows, FixedWindowState state);

    /** Returns microseconds that no other window of the counter ends at. */
    long stamp();
  }

  /** The end of a window of a fixed length. It pauses while another store decides. */
  private record Elapsed(long endNanos, long lengthNanos, long stamp) implements WindowEnd {

    static Elapsed of(FirstRequestWindow window, FixedWindowState state) {
      long lengthNanos = window.length().toNanos();
      long stamp = (state.tickNanos() + lengthNanos) / 1_000;
      return new Elapsed(state.nanos() + lengthNanos, lengthNanos, stamp);
    }

    @Override
    public boolean isPast(FixedWindowState state) {
      return state.nanos() >= endNanos;
    }

    @Override
    public WindowEnd next(FixedWindowState state) {
      return new Elapsed(endNanos + lengthNanos, lengthNanos, stamp + lengthNanos / 1_000);
    }

    @Override
    public long nanosLeft(long moreWindows, FixedWindowState state) {
      return plus(endNanos - state.nanos(), moreWindows, lengthNanos);
    }
  }

  /**
   * The end of a calendar window. The calendar does not pause, and its clock may be set. The end is
   * therefore kept twice: on the calendar, and on the clock that never pauses and is never set. It
   * is past when the calendar says so. It is also past when the window has lasted its time and the
   * calendar is in another window. A clock set forward begins at most one window early. A clock set
   * back does not begin the same window again, and does not extend a window beyond its length.
   *
   * <p>Windows that end while another store decides pay no debt. So the end is also kept on the
   * clock that pauses.
   */
  private record Aligned(CalendarWindow window, Instant end, long endTickNanos, long endNanos)
      implements WindowEnd {

    static Aligned of(CalendarWindow window, FixedWindowState state) {
      Instant date = state.calendar.get();
      Instant end = window.at(date).end();
      long leftNanos = nanosBetween(date, end);
      return new Aligned(window, end, state.tickNanos() + leftNanos, state.nanos() + leftNanos);
    }

    @Override
    public boolean isPast(FixedWindowState state) {
      Instant date = state.calendar.get();
      if (!date.isBefore(end)) {
        return true;
      }
      return state.tickNanos() >= endTickNanos && !window.at(date).end().equals(end);
    }

    /** Returns the window behind this one if it is over too, and otherwise that of today. */
    @Override
    public WindowEnd next(FixedWindowState state) {
      Instant nextEnd = window.endAfter(end, 1);
      long nanos = nanosBetween(end, nextEnd);
      return state.nanos() - endNanos >= nanos
          ? new Aligned(window, nextEnd, endTickNanos + nanos, endNanos + nanos)
          : of(window, state);
    }

    @Override
    public long nanosLeft(long moreWindows, FixedWindowState state) {
      long calendarNanos = Math.max(1, nanosBetween(state.calendar.get(), end));
      long tickNanos = endTickNanos - state.tickNanos();
      long leftNanos = tickNanos > 0 ? Math.min(tickNanos, calendarNanos) : calendarNanos;
      Duration more = Duration.between(end, window.endAfter(end, moreWindows));
      return plus(leftNanos, TimeUnit.NANOSECONDS.convert(more), 1);
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
