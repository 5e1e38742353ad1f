package dev.weir.redis;

import dev.weir.redis.internal.client.Background;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Work that repeats in the background. Each run returns the delay until the next one, which varies
 * by up to a fifth. A run can also be requested soon.
 */
final class PeriodicTask {

  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

  /** The least time between two runs, however often {@link #runSoon} is called. */
  private static final Duration REST = Duration.ofMillis(100);

  private final Background background;
  private final Supplier<Duration> work;

  /** The start of the current rest. */
  private long restNanos = System.nanoTime() - REST.toNanos();

  /** The number of the next run. Of several scheduled runs, only the last takes place. */
  private long planned;

  /** Whether {@link #runSoon} has scheduled the next run. It stays true until the run starts. */
  private boolean isSoon;

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

  /** Runs the work. The next run is scheduled even after a failure or an Error. */
  private void run(long number) {
    synchronized (this) {
      if (number != planned) {
        return;
      }
      isSoon = false;
      restNanos = System.nanoTime();
    }
    Duration next = AFTER_FAILURE;
    try {
      next = work.get();
    } finally {
      synchronized (this) {
        restNanos = System.nanoTime();
        if (!isSoon) {
          plan(Background.jittered(next));
        }
      }
    }
  }
}
