package dev.weir.internal;

import dev.weir.Deadline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The daemon threads of one executor. They keep no process alive. They also retain nothing of the
 * application with the request that first needs them: neither its class loader nor its thread
 * locals. Thread-safe.
 */
public final class DaemonThreads implements ThreadFactory {

  private static final Duration CLOSING = Duration.ofMillis(400);

  private final String name;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  public DaemonThreads(String name) {
    this.name = name;
  }

  /** Returns a single thread, which is not started yet. */
  public static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
    return thread;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = thread(name, task);
    threads.removeIf(known -> known.getState() == Thread.State.TERMINATED);
    threads.add(thread);
    return thread;
  }

  /**
   * Waits for the threads to end, until this deadline at most. An executor reports that it is
   * terminated shortly before its threads end.
   */
  public void join(Deadline until) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until.remainingNanos())));
    }
  }

  /** Interrupts running tasks, starts no more, and waits a moment for the threads. */
  public void end(ExecutorService executor) {
    executor.shutdownNow();
    await(executor, CLOSING);
  }

  /**
   * Waits for a closed executor and its threads, for at most this time. One of these threads does
   * not wait for itself.
   */
  public void await(ExecutorService executor, Duration time) {
    if (threads.contains(Thread.currentThread())) {
      return;
    }
    Deadline until = Deadline.after(time);
    try {
      if (executor.awaitTermination(until.remainingNanos(), TimeUnit.NANOSECONDS)) {
        join(until);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
