package dev.weir;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks that are run one by one, at the even pace of a leaky bucket: alone where the
 * limiter's store is of this process, and together with all nodes where it is shared.
 *
 * <pre>{@code
 * TaskShaper mails = TaskShaper.of(LeakyLimiter.of("mails", "2 per second leaky", store), 100);
 * mails.start();
 * boolean accepted = mails.offer(() -> send(mail));
 * ...
 * List<Runnable> unsent = mails.stop();
 * }</pre>
 *
 * <p>Tasks run in the order in which they were offered, on one daemon thread; one that takes longer
 * than the pace holds up those behind it, and one that throws is told to the thread's {@linkplain
 * Thread#getDefaultUncaughtExceptionHandler uncaught exception handler} and holds up nobody. No
 * task that was accepted is lost: it is run, or handed back by {@link #stop}. Thread-safe.
 */
public final class TaskShaper {

  private static final Subject ALL = Subject.of("queue");
  private static final Duration LONG = Duration.ofDays(1);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final LeakyLimiter pace;
  private final int capacity;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Thread consumer;
  private boolean started;
  private boolean stopped;

  /** What the consumer waits for while it waits for the pace. */
  private @Nullable CompletableFuture<?> pacing;

  private TaskShaper(LeakyLimiter pace, int capacity) {
    this.pace = pace;
    this.capacity = capacity;
    this.consumer = new Thread(this::consume, "weir-shaper");
    consumer.setDaemon(true);
  }

  /**
   * A queue that waits to be started.
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
   * Begins to run tasks.
   *
   * @throws IllegalStateException when it was started or stopped before
   */
  public synchronized void start() {
    if (started || stopped) {
      throw new IllegalStateException("shaper: started or stopped before (expected: new)");
    }
    started = true;
    consumer.start();
  }

  /**
   * Accepts a task, before the start as well.
   *
   * @return false when it was refused, because the queue is full or stopped
   */
  public synchronized boolean offer(Runnable task) {
    Objects.requireNonNull(task, "task");
    if (stopped || tasks.size() >= capacity) {
      return false;
    }
    tasks.addLast(task);
    notifyAll();
    return true;
  }

  /**
   * Runs no further task, waits for the one that runs, and hands back the others in their order. To
   * stop twice is to stop once: the second time there is nothing to hand back.
   *
   * <p>Called by a task, or by a thread that is interrupted, it does not wait.
   */
  public List<Runnable> stop() {
    end();
    List<Runnable> rest = rest();
    if (Thread.currentThread() != consumer) {
      try {
        consumer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return rest;
  }

  /** Whoever waits in line leaves it without this lock, for that asks the store. */
  private void end() {
    @Nullable CompletableFuture<?> waiting;
    synchronized (this) {
      stopped = true;
      notifyAll();
      waiting = pacing;
    }
    if (waiting != null) {
      waiting.cancel(true);
    }
  }

  /** What is left for whoever stops it: the consumer takes none of it any more. */
  private synchronized List<Runnable> rest() {
    List<Runnable> rest = new ArrayList<>(tasks);
    tasks.clear();
    return rest;
  }

  private void consume() {
    try {
      while (awaitTask() && awaitPace()) {
        runNext();
      }
    } catch (InterruptedException interruptedByItsGroup) {
      // what is left waits for stop()
    } finally {
      end();
    }
  }

  /** Returns false once it is stopped. A task stays in the queue until it is run. */
  private synchronized boolean awaitTask() throws InterruptedException {
    while (!stopped && tasks.isEmpty()) {
      wait();
    }
    return !stopped;
  }

  /** Returns false once it is stopped; what was taken of the pace is then given back. */
  private boolean awaitPace() throws InterruptedException {
    while (true) {
      @Nullable Decision decision = await(pace.awaitAsync(ALL, 1, LONG));
      if (decision == null) {
        return false;
      }
      if (decision.allowed()) {
        return true;
      }
      CompletableFuture<Decision> retry = new CompletableFuture<>();
      Duration wait = decision.retryAfter().orElse(SOON);
      Alarm.Pending pending = pace.lines().in(wait, () -> retry.complete(decision));
      if (await(retry) == null) {
        pending.callOff();
        return false;
      }
    }
  }

  private @Nullable Decision await(CompletableFuture<Decision> future) throws InterruptedException {
    boolean isLate;
    synchronized (this) {
      pacing = future;
      isLate = stopped;
    }
    if (isLate) {
      future.cancel(true);
    }
    try {
      return future.get();
    } catch (CancellationException stopping) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void runNext() {
    @Nullable Runnable task = next();
    if (task == null) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      tell(failure);
    } finally {
      Thread.interrupted(); // a task's own interruption is not ours
    }
  }

  private void tell(Throwable failure) {
    try {
      consumer.getUncaughtExceptionHandler().uncaughtException(consumer, failure);
    } catch (RuntimeException | Error ignored) {
      // as the JVM does with a handler that fails
    }
  }

  /** Null once it is stopped: what is left is not ours any more. */
  private synchronized @Nullable Runnable next() {
    pacing = null;
    return stopped ? null : tasks.pollFirst();
  }
}
