package dev.weir.redis.internal.client;

import dev.weir.internal.store.DaemonThreads;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Daemon threads for work that must not delay a request. */
public final class Background implements Executor {

  private static final Duration REST = Duration.ofSeconds(10);

  private final DaemonThreads threads;
  private final ScheduledThreadPoolExecutor executor;
  private final LimiterListener listener;
  private volatile boolean lacksThread;

  /** Creates an executor with at most this number of threads. Idle threads end after a while. */
  public Background(String name, int mostThreads, LimiterListener listener) {
    this.listener = listener;
    threads = new DaemonThreads(name);
    executor = new ScheduledThreadPoolExecutor(mostThreads, threads);
    executor.setKeepAliveTime(REST.toMillis(), TimeUnit.MILLISECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(guarded(task));
  }

  /**
   * Runs the task after the delay. If the executor is closed before, the task never runs. Returns
   * false when it is closed already. If no thread can be started for the task, it runs when one
   * can: with the next task, or by {@link #makeUp}.
   */
  public boolean later(Duration delay, Runnable task) {
    try {
      Future<?> unused = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    } catch (OutOfMemoryError noThread) {
      lacksThread = true;
      listener.onError("redis: no thread could be started, which is tried again", noThread);
      return true;
    }
  }

  /** Starts the thread that could not be started for an earlier task. */
  void makeUp() {
    if (!lacksThread) {
      return;
    }
    try {
      lacksThread = false;
      executor.prestartCoreThread();
    } catch (OutOfMemoryError noThread) {
      lacksThread = true;
    }
  }

  public void close() {
    executor.shutdownNow();
  }

  /** Waits for the threads to end, for at most this time in total. */
  public void join(long millis) throws InterruptedException {
    threads.join(Deadline.after(Duration.ofMillis(millis)));
  }

  /** Returns the mean, varied by up to a fifth: nodes that fail together return apart. */
  public static Duration jittered(Duration mean) {
    double factor = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
    return Duration.ofNanos((long) (mean.toNanos() * factor));
  }

  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        listener.onError("redis: work in the background failed", e);
      }
    };
  }
}
