package dev.weir.internal;

import dev.weir.Deadline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The daemon threads of one executor. They keep no process alive. Thread-safe. */
final class DaemonThreads implements ThreadFactory {

  private static final Duration CLOSING = Duration.ofMillis(400);

  private final String name;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  DaemonThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = DaemonThread.of(name, task);
    threads.removeIf(known -> known.getState() == Thread.State.TERMINATED);
    threads.add(thread);
    return thread;
  }

  /**
   * Starts no more tasks, and waits a moment for running tasks and for the threads themselves. An
   * executor reports that it is terminated shortly before its threads end. If one of these threads
   * calls this, it does not wait for itself, since it is interrupted.
   */
  void end(ExecutorService executor) {
    executor.shutdownNow();
    Deadline until = Deadline.after(CLOSING);
    try {
      if (executor.awaitTermination(until.remainingNanos(), TimeUnit.NANOSECONDS)) {
        join(until);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void join(Deadline until) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until.remainingNanos())));
    }
  }
}
