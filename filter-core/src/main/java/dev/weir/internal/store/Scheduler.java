package dev.weir.internal.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs tasks after a delay, on one shared thread. Tasks must be short, or hand on their work. */
public interface Scheduler extends AutoCloseable {

  /** A task that has not run yet. */
  interface Pending {

    /** No task. */
    Pending NONE = () -> {};

    /** Cancels the task, unless it is running already. It is removed from memory. */
    void cancel();
  }

  /** Runs a task after a delay. Does nothing once this is closed. */
  Pending in(Duration delay, Runnable task);

  /**
   * Begins a wait for which the calling thread is about to block, and returns its future. Time that
   * does not pass by itself passes here, until the future is done.
   */
  default <T> CompletableFuture<T> beginBlocking(Supplier<CompletableFuture<T>> wait) {
    return wait.get();
  }

  /** Blocks for this long. */
  default void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  /** Discards all tasks. */
  @Override
  void close();

  /** A scheduler with one daemon thread, which runs only while there are tasks. */
  final class OneThread implements Scheduler {

    private static final Logger LOG = System.getLogger(Scheduler.class.getName());
    private static final long IDLE_SECONDS = 5;

    /** How long a task that calls a store may run on when this is closed. */
    private static final Duration RUNNING = Duration.ofMillis(200);

    private final DaemonThreads threads;
    private final ScheduledThreadPoolExecutor executor;

    public OneThread(String name) {
      threads = new DaemonThreads(name);
      executor = new ScheduledThreadPoolExecutor(1, threads, new DiscardPolicy());
      executor.setRemoveOnCancelPolicy(true);
      executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
      executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public Pending in(Duration delay, Runnable task) {
      Runnable logged =
          () -> {
            try {
              task.run();
            } catch (RuntimeException | Error bug) { // does not end the thread
              LOG.log(Level.ERROR, () -> "a scheduled task failed: " + Failures.brief(bug));
            }
          };
      Future<?> future = executor.schedule(logged, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    }

    /** Discards all tasks, and gives a running one a moment before it is interrupted. */
    @Override
    public void close() {
      executor.shutdown();
      threads.await(executor, RUNNING);
      threads.end(executor);
    }
  }
}
