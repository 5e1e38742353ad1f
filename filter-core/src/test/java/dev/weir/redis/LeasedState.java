package dev.weir.redis;

import dev.weir.internal.BucketUnits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stored state of a bucket that lends, read as its essays say. It has the permits out until the
 * end of a grid cell, those out until the end of the next one, and the bucket's own debt.
 *
 * @param units what a permit weighs in the debt
 * @param waits whether a waiting request is stored
 */
record LeasedState(
    long cell, long first, long second, long debt, long atMicros, long units, boolean waits) {

  static final long GRID = 10_000;

  private static final LeasedState NOTHING = new LeasedState(-1, 0, 0, 0, 0, 0, false);
  private static final Pattern WRITTEN =
      Pattern.compile("(?:~(\\d+):(\\d+):(\\d+);)?(\\d+):(\\d+):(\\d+)(:\\d+:\\d+)?");

  static LeasedState of(String state) {
    Matcher read = WRITTEN.matcher(Replied.own(state));
    if (!read.matches()) {
      return NOTHING;
    }
    boolean lends = read.group(1) != null;
    return new LeasedState(
        lends ? Long.parseLong(read.group(1)) : -1,
        lends ? Long.parseLong(read.group(2)) : 0,
        lends ? Long.parseLong(read.group(3)) : 0,
        Long.parseLong(read.group(4)),
        Long.parseLong(read.group(5)),
        Long.parseLong(read.group(6)),
        read.group(7) != null);
  }

  /** Returns what is out now, with its own state unchanged. */
  LeasedState live(long now, boolean stepsBack) {
    long here = now / GRID;
    if (cell < here - 1) {
      return out(here, 0, 0);
    }
    if (cell == here - 1) {
      return out(here, second, 0);
    }
    return stepsBack && cell > here + 3 ? out(here + 1, 0, first + second) : this;
  }

  private LeasedState out(long newCell, long newFirst, long newSecond) {
    return new LeasedState(newCell, newFirst, newSecond, debt, atMicros, units, waits);
  }

  long out() {
    return first + second;
  }

  /** Returns the time from which nothing is out. It requires that something is. */
  long endMicros() {
    return (second > 0 ? cell + 2 : cell + 1) * GRID;
  }

  /** Returns how much is out until then; -1 when no lease can end then. */
  long until(long ends) {
    if (ends == (cell + 1) * GRID) {
      return first;
    }
    return ends == (cell + 2) * GRID ? second : -1;
  }

  /** Returns the end of a lease that is taken at that time. */
  static long end(long now) {
    return (now / GRID + 2) * GRID;
  }

  /** Returns the state after a renewal at that time; a sum never falls below zero. */
  LeasedState renewed(long ends, long reported, long kept, long lent, long now) {
    LeasedState settled = this;
    if (until(ends) >= 0) {
      settled = plus(ends, -Math.min(reported, until(ends)));
      settled = settled.plus(settled.until(end(now)) >= 0 ? end(now) : ends, kept);
    }
    if (settled.out() == 0) {
      settled = settled.out(now / GRID, 0, 0);
    }
    return lent > 0 ? settled.plus(end(now), lent) : settled;
  }

  private LeasedState plus(long ends, long permits) {
    return ends == (cell + 1) * GRID
        ? out(cell, first + permits, second)
        : out(cell, first, second + permits);
  }

  boolean isOut(LeasedState other) {
    return out() == 0 ? other.out() == 0 : other.equals(out(other));
  }

  private LeasedState out(LeasedState own) {
    return new LeasedState(cell, first, second, own.debt, own.atMicros, own.units, own.waits);
  }

  /**
   * Returns the whole permits available. It requires that no request waits, no clock has jumped,
   * and the numbers are those of the last write.
   */
  long remaining(long now, BucketUnits numbers, long burst) {
    long tick = numbers.tickMicros();
    long ticks = now / tick;
    long owed = aged(debt, ticks - atMicros / tick, numbers);
    if (cell >= 0) {
      owed = Math.max(owed, out(first + second, cell + 1, ticks, numbers, burst));
      owed = Math.max(owed, out(second, cell + 2, ticks, numbers, burst));
    }
    return Math.max(0, Math.floorDiv(burst * units - owed, units));
  }

  /** Returns the time at which the bucket's own debt is paid. */
  long paidMicros(BucketUnits numbers) {
    long ticks = (debt + numbers.p() - 1) / numbers.p();
    return (atMicros / numbers.tickMicros() + ticks) * numbers.tickMicros();
  }

  /** Returns the least debt when so much was out until the beginning of a cell. */
  private static long out(
      long permits, long untilCell, long ticks, BucketUnits numbers, long burst) {
    long ends = untilCell * GRID / numbers.tickMicros();
    return aged(Math.min(permits, burst) * numbers.q(), ticks - ends, numbers);
  }

  private static long aged(long owed, long ticks, BucketUnits numbers) {
    boolean isPaid = ticks > 0 && ticks > owed / numbers.p();
    return isPaid ? 0 : Math.max(0, owed - Math.max(0, ticks) * numbers.p());
  }
}
