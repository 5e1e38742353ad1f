package dev.weir.config;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Has something done again and again, which tests do by hand. */
interface Pulse {

  /** Every second, on a daemon thread of its own. */
  Pulse EVERY_SECOND = Pulse::daemon;

  /**
   * Begins to run this, never twice at once.
   *
   * @param beat does not throw
   * @return what ends it, and waits for nothing
   */
  Runnable start(Runnable beat);

  private static Runnable daemon(Runnable beat) {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "weir-config");
              thread.setDaemon(true);
              return thread;
            });
    long millis = Duration.ofSeconds(1).toMillis();
    Future<?> unused = executor.scheduleWithFixedDelay(beat, millis, millis, TimeUnit.MILLISECONDS);
    return executor::shutdownNow;
  }
}
