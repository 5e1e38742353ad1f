package dev.weir.redis;

import dev.weir.Receipt.Grant;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives back what requests have no time left for, on a thread that lives only as long as there is
 * such work. What more than so many wait for is dropped: it only under-admits, while a queue
 * without an end would fill the memory during an outage, and give back long after.
 */
final class GiveBacks {

  static final int MOST_WAITING = 1_000;

  private static final int IDLE_SECONDS = 5;

  private final Consumer<List<Grant>> work;
  private final ThreadPoolExecutor executor;
  private volatile @Nullable Thread thread;

  /**
   * @param work gives back, and throws nothing
   */
  GiveBacks(Consumer<List<Grant>> work) {
    this.work = work;
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            this::worker,
            new DiscardPolicy());
    executor.allowCoreThreadTimeOut(true);
  }

  private Thread worker(Runnable task) {
    Thread worker = new Thread(task, "weir-redis-give-back");
    worker.setDaemon(true);
    thread = worker;
    return worker;
  }

  /** Later, or never when too many wait or this is closed. */
  void add(List<Grant> grants) {
    executor.execute(() -> work.accept(grants));
  }

  void close() {
    executor.shutdownNow();
  }

  /** Waits for the thread itself to end. */
  void join(long millis) throws InterruptedException {
    Thread worker = thread;
    if (worker != null) {
      worker.join(millis);
    }
  }
}
