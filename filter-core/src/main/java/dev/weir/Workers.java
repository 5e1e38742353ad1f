package dev.weir;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/**
 * A few daemon threads for what may wait for a store, there only while there is something to do. An
 * alarm hands it to them: a store that is slow for many delays none of those who need no store.
 */
final class Workers implements Executor, AutoCloseable {

  /** Those who ask a shared store at once share a trip, so that more threads ask no sooner. */
  private static final int MOST_THREADS = 16;

  private static final long IDLE_SECONDS = 5;

  private final DaemonThreads threads;
  private final ThreadPoolExecutor executor;

  Workers(String name) {
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

  /** Nothing, once this is closed. */
  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** What is being done is done; what has not begun is not. */
  @Override
  public void close() {
    threads.end(executor);
  }
}
