package dev.weir;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Threads that keep no process alive. */
final class DaemonThreads {

  private static final long CLOSING_MILLIS = 400;

  private DaemonThreads() {}

  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Begins nothing more, and waits for a moment for what is being done. */
  static void end(ExecutorService executor) {
    executor.shutdownNow();
    try {
      executor.awaitTermination(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
