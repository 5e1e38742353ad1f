package dev.weir.internal.wait;

import dev.weir.internal.store.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/**
 * An executor of a few daemon threads. The threads exist only while there is something to do. A
 * scheduler hands tasks to them that may wait for a store, or that run code of the application.
 */
public final class Workers implements Executor, AutoCloseable {

  /**
   * Simultaneous calls to a shared store share a batch, so that more threads would not be faster.
   */
  private static final int MOST_THREADS = 16;

  private static final long IDLE_SECONDS = 5;

  private final DaemonThreads threads;
  private final ThreadPoolExecutor executor;

  public Workers(String name) {
    threads = new DaemonThreads(name);
    executor =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            threads,
            new DiscardPolicy());
    executor.allowCoreThreadTimeOut(true);
  }

  /** Runs a task. Does nothing once this is closed. */
  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Waits a moment for running tasks, and discards those that have not begun. */
  @Override
  public void close() {
    threads.end(executor);
  }
}
