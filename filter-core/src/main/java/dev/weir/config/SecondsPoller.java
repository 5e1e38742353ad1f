package dev.weir.config;

import dev.weir.Failures;
import dev.weir.internal.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A daemon thread that runs an action every second. */
final class SecondsPoller {

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final long ENDING_MILLIS = 200;

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, this::thread);
  private volatile @Nullable Thread thread;

  private SecondsPoller() {}

  static Runnable start(Runnable beat) {
    SecondsPoller poller = new SecondsPoller();
    Future<?> unused =
        poller.executor.scheduleWithFixedDelay(() -> guarded(beat), 1, 1, TimeUnit.SECONDS);
    return poller::stop;
  }

  private Thread thread(Runnable task) {
    Thread made = DaemonThreads.thread("weir-config", task);
    thread = made;
    return made;
  }

  /** Catches all exceptions, since an executor would cancel an action that has thrown. */
  private static void guarded(Runnable beat) {
    try {
      beat.run();
    } catch (RuntimeException | Error failed) {
      LOG.log(Level.WARNING, () -> "the configuration: " + Failures.brief(failed));
    }
  }

  /**
   * Waits for the thread to end, so that a container finds no thread of an application that it has
   * stopped.
   */
  private void stop() {
    executor.shutdownNow();
    Thread ending = thread;
    if (ending == null || ending == Thread.currentThread()) {
      return;
    }
    try {
      ending.join(ENDING_MILLIS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
