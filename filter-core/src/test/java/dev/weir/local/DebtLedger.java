package dev.weir.local;

import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The books of one node, by the words of the guide alone: what it has admitted, and what is still
 * owed. In steps of time, and in numbers that may be rounded.
 */
abstract class DebtLedger {

  final double share;
  final double perNano;
  final double lengthNanos;
  double admitted;

  private DebtLedger(double share, double lengthNanos) {
    this.share = share;
    this.lengthNanos = lengthNanos;
    this.perNano = share / lengthNanos;
  }

  /**
   * Returns the books of a limit per minute.
   *
   * @param share what the node may admit in a minute
   */
  static DebtLedger of(Limit limit, double share) {
    double minute = Duration.ofMinutes(1).toNanos();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> new OfBucket(share, minute);
      case LEAKY_BUCKET -> new OfSchedule(share, minute);
      case FIXED_WINDOW -> new OfWindow(share, minute);
      case SLIDING_WINDOW -> new OfSlidingWindow(share, minute, (SlidingWindow) limit);
      case CONCURRENCY -> throw new IllegalArgumentException("not over time: " + limit);
    };
  }

  final void admit(double permits) {
    admitted += permits;
    take(permits);
  }

  abstract void take(double permits);

  /** Advances time. A window starts where the run starts, and whenever a minute is over. */
  abstract void at(long nanos);

  abstract double owed();

  /** Returns what is fair until then. */
  final double fair(long nanos) {
    return perNano * nanos;
  }

  /** Returns what may be spent beyond that, and may as well lie unspent. */
  double burst() {
    return 0;
  }

  /** A level that may be below zero. */
  private static final class OfBucket extends DebtLedger {
    private double level;
    private long lastNanos;

    OfBucket(double share, double lengthNanos) {
      super(share, lengthNanos);
      level = share;
    }

    @Override
    void take(double permits) {
      level -= permits;
    }

    @Override
    void at(long nanos) {
      level = Math.min(share, level + perNano * (nanos - lastNanos));
      lastNanos = nanos;
    }

    @Override
    double owed() {
      return Math.max(0, -level);
    }

    @Override
    double burst() {
      return share;
    }
  }

  /** What has not flowed out is owed. */
  private static final class OfSchedule extends DebtLedger {
    private double content;
    private long lastNanos;

    OfSchedule(double share, double lengthNanos) {
      super(share, lengthNanos);
    }

    @Override
    void take(double permits) {
      content += permits;
    }

    @Override
    void at(long nanos) {
      content = Math.max(0, content - perNano * (nanos - lastNanos));
      lastNanos = nanos;
    }

    @Override
    double owed() {
      return content;
    }
  }

  /** Each window pays at most the share. */
  private static final class OfWindow extends DebtLedger {
    private double used;
    private long ended;

    OfWindow(double share, double lengthNanos) {
      super(share, lengthNanos);
    }

    @Override
    void take(double permits) {
      used += permits;
    }

    @Override
    void at(long nanos) {
      for (; (ended + 1) * lengthNanos <= nanos; ended++) {
        used = Math.max(0, used - share);
      }
    }

    @Override
    double owed() {
      return Math.max(0, used - share);
    }
  }

  /** A debt is charged as what counts expires, sub-window by sub-window. */
  private static final class OfSlidingWindow extends DebtLedger {
    private final Deque<double[]> counting = new ArrayDeque<>();
    private final double width;
    private final int counted;
    private double sum;
    private double owed;
    private long subWindow;

    OfSlidingWindow(double share, double lengthNanos, SlidingWindow limit) {
      super(share, lengthNanos);
      width = limit.subWindow().toNanos();
      counted = limit.subWindows() + 1;
    }

    @Override
    void take(double permits) {
      owed += permits;
      charge();
    }

    @Override
    void at(long nanos) {
      for (; (subWindow + 1) * width <= nanos; subWindow++) {
        while (!counting.isEmpty() && counting.getFirst()[0] + counted <= subWindow + 1) {
          sum -= counting.removeFirst()[1];
        }
        charge(subWindow + 1);
      }
    }

    private void charge() {
      charge(subWindow);
    }

    private void charge(long number) {
      double charged = Math.min(owed, share - sum);
      if (charged > 0) {
        owed -= charged;
        sum += charged;
        counting.addLast(new double[] {number, charged});
      }
    }

    @Override
    double owed() {
      return owed;
    }
  }
}
