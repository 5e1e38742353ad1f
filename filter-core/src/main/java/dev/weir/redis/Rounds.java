package dev.weir.redis;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Work that is done again and again in the background: each time after the delay that it asks for,
 * give or take a fifth, or soon when it is nudged.
 */
final class Rounds {

  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

  /** However often it is nudged, so much time passes between two rounds. */
  private static final Duration REST = Duration.ofMillis(100);

  private final Background background;
  private final Supplier<Duration> work;

  /** Since when nothing is done. */
  private long restNanos = System.nanoTime() - REST.toNanos();

  /** The round that is to come: of those that were planned, the last. */
  private long planned;

  /** Whether it was planned because of a nudge; it stands until it begins. */
  private boolean nudged;

  /**
   * @param work returns how long until it is to be done again
   */
  Rounds(Background background, Supplier<Duration> work) {
    this.background = background;
    this.work = work;
  }

  void start() {
    plan(Duration.ZERO);
  }

  synchronized void nudge() {
    if (!nudged) {
      nudged = true;
      plan(REST.minusNanos(System.nanoTime() - restNanos));
    }
  }

  private synchronized void plan(Duration delay) {
    long number = ++planned;
    background.later(delay, () -> round(number));
  }

  /** Whatever it comes to, an Error too, there is a next one. */
  private void round(long number) {
    if (!begins(number)) {
      return;
    }
    Duration next = AFTER_FAILURE;
    try {
      next = work.get();
    } finally {
      end(Background.jittered(next));
    }
  }

  private synchronized boolean begins(long number) {
    if (number != planned) {
      return false;
    }
    nudged = false;
    restNanos = System.nanoTime();
    return true;
  }

  private synchronized void end(Duration next) {
    restNanos = System.nanoTime();
    if (!nudged) {
      plan(next);
    }
  }
}
