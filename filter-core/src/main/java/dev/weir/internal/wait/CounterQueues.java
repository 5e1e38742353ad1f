package dev.weir.internal.wait;

import dev.weir.internal.store.Scheduler;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queues of requests that wait on this node for limits whose store keeps no queue. There is one
 * for each set of counters, in order of arrival. Its first request calls the store; the others wait
 * for their turn. Joining, leaving and reading a queue take constant time. Thread-safe.
 */
public final class CounterQueues {

  /** A request in a queue. Compared by identity. */
  public interface Waiter {

    /** Returns what it waits for, which also selects its queue. */
    List<Charge> waitedFor();

    /** Called when it is the first of its queue, or permits have returned. */
    void turn();
  }

  private static final class Queue {

    private final LinkedHashSet<Waiter> inOrder = new LinkedHashSet<>();

    /** What all of them wait for, by counter. No sum that can be served overflows. */
    private final long[] permits;

    private Queue(int counters) {
      permits = new long[counters];
    }

    private Waiter first() {
      return inOrder.iterator().next();
    }

    private void add(List<Charge> charges, int sign) {
      for (int i = 0; i < permits.length; i++) {
        permits[i] += sign * charges.get(i).permits();
      }
    }
  }

  /** How long after a thread could not be started it is tried again. */
  private static final Duration NEXT_START = Duration.ofMillis(100);

  private final Scheduler scheduler;
  private final Executor requesters;
  private final Executor completers;
  private final Map<List<Counter>, Queue> queues = new HashMap<>();

  /** Tasks to start after the one that is about to start, for the same counters. */
  private final Map<List<Counter>, Deque<Runnable>> turns = new HashMap<>();

  /**
   * @param scheduler decides when to call the store again
   * @param requesters may block for a store
   * @param completers run what calls no store, so that no store delays it
   */
  public CounterQueues(Scheduler scheduler, Executor requesters, Executor completers) {
    this.scheduler = scheduler;
    this.requesters = requesters;
    this.completers = completers;
  }

  /** Runs a task once, after a delay, on a thread that may block for a store. */
  public Scheduler.Pending requestIn(Duration delay, Runnable task) {
    return scheduler.in(delay, () -> execute(requesters, task));
  }

  /** Runs a task that calls no store once, after a delay. */
  public Scheduler.Pending completeIn(Duration delay, Runnable task) {
    return scheduler.in(delay, () -> execute(completers, task));
  }

  /**
   * Runs a task as {@link #completeIn} does, but starts it after the tasks of the same counters
   * that were due earlier have started. Without that, of two threads the one with the earlier task
   * might run much later. It does not wait until they end.
   */
  public Scheduler.Pending completeInTurn(Duration delay, List<Charge> charges, Runnable task) {
    List<Counter> counters = counters(charges);
    return scheduler.in(
        delay,
        () -> {
          synchronized (this) {
            @Nullable Deque<Runnable> behind = turns.get(counters);
            if (behind != null) {
              behind.addLast(task);
              return;
            }
            turns.put(counters, new ArrayDeque<>());
          }
          begin(counters, task);
        });
  }

  /** The next task starts on another thread, since this one may take any time. */
  private void begin(List<Counter> counters, Runnable task) {
    execute(
        completers,
        () -> {
          @Nullable Runnable next = behind(counters);
          try {
            if (next != null) {
              begin(counters, next);
            }
          } finally {
            task.run();
          }
        });
  }

  /**
   * If no thread can be started, tries again later: without the task, its request waits forever.
   */
  private void execute(Executor workers, Runnable task) {
    try {
      workers.execute(task);
    } catch (OutOfMemoryError noThread) {
      Scheduler.Pending unused = scheduler.in(NEXT_START, () -> execute(workers, task));
    }
  }

  private synchronized @Nullable Runnable behind(List<Counter> counters) {
    @Nullable Deque<Runnable> behind = turns.get(counters);
    @Nullable Runnable next = behind == null ? null : behind.pollFirst();
    if (next == null) {
      turns.remove(counters);
    }
    return next;
  }

  public <T> CompletableFuture<T> beginBlocking(Supplier<CompletableFuture<T>> wait) {
    return scheduler.beginBlocking(wait);
  }

  public void sleep(Duration time) throws InterruptedException {
    scheduler.sleep(time);
  }

  /** Runs a task as soon as a thread is free that may block for a store. */
  public void requestSoon(Runnable task) {
    execute(requesters, task);
  }

  /** Returns what the queue of these charges waits for, by counter; empty when nothing waits. */
  public synchronized long[] ahead(List<Charge> charges) {
    @Nullable Queue queue = queues.get(counters(charges));
    return queue == null ? new long[0] : queue.permits.clone();
  }

  /**
   * Returns the most permits that a limit can grant from now until this time has passed, both
   * included. A request behind more permits than that is not served in time. It is a bound and no
   * forecast. Refunds during that time are not included.
   */
  public static long mostGranted(Limit limit, Duration time) {
    long capacity = limit.capacity();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> sum(capacity, flow(((TokenBucket) limit).rate(), time));
      case LEAKY_BUCKET -> sum(capacity, flow(((LeakyBucket) limit).rate(), time));
      case FIXED_WINDOW -> {
        FixedWindow.Window window = ((FixedWindow) limit).window();
        // calendar windows differ in length: a third of the longest is below any usual one
        long part = window instanceof FixedWindow.FirstRequestWindow ? 1 : 3;
        yield product(capacity, touched(window.longest().dividedBy(part), time));
      }
      case SLIDING_WINDOW -> product(capacity, touched(((SlidingWindow) limit).length(), time));
      case CONCURRENCY -> Long.MAX_VALUE; // held permits may return at any time
    };
  }

  private static long flow(Limit.Rate rate, Duration time) {
    double periods = (double) TimeUnit.MICROSECONDS.convert(time) / rate.periodMicros();
    return (long) Math.ceil(periods * rate.permits()) + 1;
  }

  /** Returns how many windows of this length one span of time may meet at most. */
  private static long touched(Duration length, Duration time) {
    return time.dividedBy(length) + 2;
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static long product(long one, long other) {
    return one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }

  /** Joins the queue of its charges, and returns whether it is the first. */
  public synchronized boolean join(Waiter waiter) {
    List<Charge> charges = waiter.waitedFor();
    Queue queue = queues.computeIfAbsent(counters(charges), absent -> new Queue(charges.size()));
    queue.inOrder.add(waiter);
    queue.add(charges, 1);
    return queue.inOrder.size() == 1;
  }

  /** Leaves the queue, and lets the second request call the store. Idempotent. */
  public void leave(Waiter waiter) {
    turnSoon(removed(waiter));
  }

  private void turnSoon(@Nullable Waiter waiter) {
    if (waiter != null) {
      requestSoon(waiter::turn);
    }
  }

  /** Returns the new first waiter, if the first has left. */
  private synchronized @Nullable Waiter removed(Waiter waiter) {
    List<Counter> counters = counters(waiter.waitedFor());
    @Nullable Queue queue = queues.get(counters);
    if (queue == null) {
      return null;
    }
    boolean wasFirst = queue.first() == waiter;
    if (!queue.inOrder.remove(waiter)) {
      return null;
    }
    queue.add(waiter.waitedFor(), -1);
    if (queue.inOrder.isEmpty()) {
      queues.remove(counters);
      return null;
    }
    return wasFirst ? queue.first() : null;
  }

  /** Permits of these have returned: the first waiter calls the store now. */
  public void returned(List<Charge> charges) {
    turnSoon(first(charges));
  }

  public synchronized boolean isFirst(Waiter one) {
    return first(one.waitedFor()) == one;
  }

  private synchronized @Nullable Waiter first(List<Charge> charges) {
    @Nullable Queue queue = queues.get(counters(charges));
    return queue == null ? null : queue.first();
  }

  private static List<Counter> counters(List<Charge> charges) {
    return charges.stream().map(Charge::counter).toList();
  }
}
