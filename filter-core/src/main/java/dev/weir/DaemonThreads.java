package dev.weir;

import dev.weir.internal.DaemonThread;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads of one executor, which keep no process alive. Thread-safe. */
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
   * Begins nothing more, and waits for a moment for what is being done, and for the threads
   * themselves: an executor calls itself terminated shortly before they end. One of them does not
   * wait for itself, for it is interrupted.
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
