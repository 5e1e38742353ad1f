package dev.weir.redis;

import dev.weir.redis.internal.client.Background;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Work that is repeated in the background: each time after the delay that it returns, give or take
 * a fifth, or soon when that is asked for.
 */
final class PeriodicTask {

  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

  /** However often {@link #runSoon} is called, so much time passes between two runs. */
  private static final Duration REST = Duration.ofMillis(100);

  private final Background background;
  private final Supplier<Duration> work;

  /** Since when nothing is done. */
  private long restNanos = System.nanoTime() - REST.toNanos();

  /** The run that is to come: of those that were planned, the last. */
  private long planned;

  /** Whether it was planned by {@link #runSoon}; it stands until it begins. */
  private boolean isSoon;

  /**
   * @param work returns how long until it is to be done again
   */
  PeriodicTask(Background background, Supplier<Duration> work) {
    this.background = background;
    this.work = work;
  }

  void start() {
    plan(Duration.ZERO);
  }

  synchronized void runSoon() {
    if (!isSoon) {
      isSoon = true;
      plan(REST.minusNanos(System.nanoTime() - restNanos));
    }
  }

  private synchronized void plan(Duration delay) {
    long number = ++planned;
    background.later(delay, () -> run(number));
  }

  /** Whatever it comes to, an Error too, there is a next one. */
  private void run(long number) {
    if (!begin(number)) {
      return;
    }
    Duration next = AFTER_FAILURE;
    try {
      next = work.get();
    } finally {
      end(Background.jittered(next));
    }
  }

  private synchronized boolean begin(long number) {
    if (number != planned) {
      return false;
    }
    isSoon = false;
    restNanos = System.nanoTime();
    return true;
  }

  private synchronized void end(Duration next) {
    restNanos = System.nanoTime();
    if (!isSoon) {
      plan(next);
    }
  }
}
