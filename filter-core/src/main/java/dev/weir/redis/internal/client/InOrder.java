package dev.weir.redis.internal.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tasks that run one at a time, in the order in which they were added. Adding one runs nothing, so
 * it may be done under a lock. Whoever has added one calls {@link #run} after that.
 *
 * <p>Thread-safe.
 */
final class InOrder {

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isRunning = new AtomicBoolean();

  void add(Runnable task) {
    tasks.add(task);
  }

  /** Runs what was added. If another thread does that, it runs the tasks of this one too. */
  void run() {
    while (!tasks.isEmpty() && isRunning.compareAndSet(false, true)) {
      try {
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
          next.run();
        }
      } finally {
        isRunning.set(false);
      }
    }
  }
}
