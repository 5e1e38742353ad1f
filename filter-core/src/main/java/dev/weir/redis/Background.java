package dev.weir.redis;

import dev.weir.LimiterListener;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One daemon thread for what must not keep a request waiting. */
final class Background implements Executor {

  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

  private final ScheduledThreadPoolExecutor executor;
  private final LimiterListener listener;
  private volatile @Nullable Thread thread;

  Background(String name, LimiterListener listener) {
    this.listener = listener;
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread worker = new Thread(task, name);
              worker.setDaemon(true);
              thread = worker;
              return worker;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * @throws RejectedExecutionException when closed
   */
  @Override
  public void execute(Runnable task) {
    executor.execute(guarded(task));
  }

  /** Runs it after the delay; never, when closed before. */
  void later(Duration delay, Runnable task) {
    try {
      Future<?> unused = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      // what is closed has no later
    }
  }

  /** Runs it now and again, each time after the delay that it asks for, whatever it throws. */
  void repeat(Supplier<Duration> work) {
    later(Duration.ZERO, () -> runAndRepeat(work));
  }

  private void runAndRepeat(Supplier<Duration> work) {
    Duration next = AFTER_FAILURE;
    try {
      next = work.get();
    } finally {
      later(jittered(next), () -> runAndRepeat(work));
    }
  }

  void close() {
    executor.shutdownNow();
  }

  /** Waits for the thread itself: an executor calls itself terminated a moment before that ends. */
  void join(long millis) throws InterruptedException {
    Thread worker = thread;
    if (worker != null) {
      worker.join(millis);
    }
  }

  /** So long, give or take a fifth: nodes that fail together should not return together. */
  static Duration jittered(Duration mean) {
    double factor = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
    return Duration.ofNanos((long) (mean.toNanos() * factor));
  }

  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        listener.onError("redis: work in the background failed", e);
      }
    };
  }
}
