package dev.weir.config;

import dev.weir.Failures;
import dev.weir.internal.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Runs an action repeatedly. Tests run it by hand. */
@FunctionalInterface
interface Poller {

  /** Runs the action every second, on its own daemon thread. */
  Poller EVERY_SECOND = Poller::everySecond;

  /**
   * Starts to run this action, never twice at once. An exception does not stop later runs.
   *
   * @return an action that stops it, and waits a moment until it has stopped
   */
  Runnable start(Runnable poll);

  private static Runnable everySecond(Runnable poll) {
    Scheduler thread = new Scheduler.OneThread("weir-config");
    schedule(thread, poll);
    return thread::close;
  }

  private static void schedule(Scheduler thread, Runnable poll) {
    Scheduler.Pending unused =
        thread.in(
            Duration.ofSeconds(1),
            () -> {
              guarded(poll);
              schedule(thread, poll);
            });
  }

  private static void guarded(Runnable poll) {
    try {
      poll.run();
    } catch (RuntimeException | Error failed) {
      System.getLogger("dev.weir.config")
          .log(Level.WARNING, () -> "the configuration: " + Failures.brief(failed));
    }
  }
}
