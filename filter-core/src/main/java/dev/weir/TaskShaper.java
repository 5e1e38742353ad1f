package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.internal.store.Scheduler;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks that run one by one, at the even pace of a leaky bucket. If the limiter's store
 * is in this process, the pace is of this process alone. If the store is shared, all nodes share
 * the pace. Thread-safe. Stop it in the end: it has a thread, and returns what it has not run. It
 * does not close the store.
 *
 * <pre>{@code
 * TaskShaper mails = TaskShaper.of(LeakyLimiter.of("mails", "2 per second leaky"), 100);
 * mails.start();
 * boolean accepted = mails.offer(() -> System.out.println("sent"));
 * List<Runnable> unsent = mails.stop();
 * }</pre>
 *
 * <p>Tasks run in the order in which they were offered, on one daemon thread. A task that takes
 * longer than the pace delays those behind it. If a task throws, the thread's {@linkplain
 * Thread#getDefaultUncaughtExceptionHandler uncaught exception handler} is notified, and no other
 * task is delayed. No accepted task is lost: it runs, or {@link #stop} returns it.
 */
public final class TaskShaper {

  private static final Subject ALL = Subject.of("queue");
  private static final Duration LONG = Duration.ofDays(1);

  /** The shortest time after which it asks again for what it was denied. */
  private static final Duration SOONEST = Duration.ofMillis(100);

  private final LeakyLimiter pace;
  private final int capacity;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Thread consumer;
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();
  private boolean started;

  private TaskShaper(LeakyLimiter pace, int capacity) {
    this.pace = pace;
    this.capacity = capacity;
    // inherits the class loader of the application, whose tasks it runs: none other of ours may
    this.consumer = new Thread(this::consume, "weir-shaper");
    consumer.setDaemon(true);
  }

  /**
   * Returns a queue that is not started yet.
   *
   * @param pace for all tasks together; shapers of one name and store keep one pace
   * @param capacity how many tasks may wait, at least 1
   * @throws IllegalArgumentException when capacity is not positive
   */
  public static TaskShaper of(LeakyLimiter pace, int capacity) {
    Objects.requireNonNull(pace, "pace");
    Expect.positive("capacity", capacity);
    return new TaskShaper(pace, capacity);
  }

  /**
   * Starts to run tasks.
   *
   * @throws IllegalStateException when it was started or stopped before
   */
  public synchronized void start() {
    if (started || stopped.isDone()) {
      throw new IllegalStateException("shaper: started or stopped before (expected: new)");
    }
    started = true;
    consumer.start();
  }

  /**
   * Accepts a task, also before the start.
   *
   * @return false when it was not accepted, because the queue is full or stopped
   */
  public synchronized boolean offer(Runnable task) {
    Objects.requireNonNull(task, "task");
    if (stopped.isDone() || tasks.size() >= capacity) {
      return false;
    }
    tasks.addLast(task);
    notifyAll();
    return true;
  }

  /**
   * Runs no further task, waits for the running task, and returns the others in their order.
   * Idempotent: a second call returns no tasks.
   *
   * <p>If a task or an interrupted thread calls it, it does not wait.
   */
  public List<Runnable> stop() {
    end();
    List<Runnable> rest;
    synchronized (this) {
      rest = new ArrayList<>(tasks);
      tasks.clear();
    }
    if (Thread.currentThread() != consumer) {
      try {
        consumer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return rest;
  }

  private synchronized void end() {
    stopped.complete(true);
    notifyAll();
  }

  private void consume() {
    try {
      while (awaitTask() && awaitPace()) {
        runNext();
      }
    } catch (InterruptedException interruptedByItsGroup) {
      // stop() returns the remaining tasks
    } finally {
      end();
    }
  }

  /** Returns false once it is stopped. A task stays in the queue until it runs. */
  private synchronized boolean awaitTask() throws InterruptedException {
    while (!stopped.isDone() && tasks.isEmpty()) {
      wait();
    }
    return !stopped.isDone();
  }

  /**
   * Returns false once it is stopped. Permits that it waited for are then refunded. Those that it
   * had just got stay spent.
   */
  private boolean awaitPace() throws InterruptedException {
    while (true) {
      @Nullable Decision decision = await(pace.tryAcquireAsync(ALL, 1, LONG));
      if (decision == null) {
        return false;
      }
      if (decision.allowed()) {
        return true;
      }
      CompletableFuture<Decision> retry = new CompletableFuture<>();
      Duration wait =
          decision.retryAfter().filter(time -> time.compareTo(SOONEST) > 0).orElse(SOONEST);
      Scheduler.Pending pending =
          pace.core.waitQueues().queues().completeIn(wait, () -> retry.complete(decision));
      if (await(retry) == null) {
        pending.cancel();
        return false;
      }
    }
  }

  /** Returns null once it is stopped. Then the future is cancelled, which may call the store. */
  private @Nullable Decision await(CompletableFuture<Decision> future) throws InterruptedException {
    try {
      return CompletableFuture.anyOf(stopped, future).get() instanceof Decision decision
          ? decision
          : null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      future.cancel(true);
    }
  }

  private void runNext() {
    @Nullable Runnable task;
    synchronized (this) {
      task = stopped.isDone() ? null : tasks.pollFirst(); // the remaining are those of stop()
    }
    if (task == null) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      tell(failure);
    } finally {
      Thread.interrupted(); // an interruption of a task must not stop this thread
    }
  }

  private void tell(Throwable failure) {
    try {
      consumer.getUncaughtExceptionHandler().uncaughtException(consumer, failure);
    } catch (RuntimeException | Error ignored) {
      // the JVM also ignores a handler that fails
    }
  }
}
