package dev.weir.testing;

import static java.util.Comparator.comparingLong;

import dev.weir.internal.Expect;
import dev.weir.store.LimitStore.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Time that passes only when a test advances it: a ticker, and a date for windows that are aligned
 * to a calendar.
 *
 * <pre>{@code
 * ManualClock clock = new ManualClock(Instant.parse("2026-03-28T22:59:59Z"));
 * TestStore store = TestStore.on(clock);
 * PeriodLimiter exports = PeriodLimiter.of("exports", "2 per day window Europe/Berlin", store);
 *
 * assertThat(exports, clock).grants(2).denies().after(Duration.ofSeconds(1)).grants(2).denies();
 * }</pre>
 *
 * <p>What is due in this time happens in the thread that {@linkplain #advance advances} it, at its
 * time and in order: requests that wait for permits of a {@link TestStore} complete, and
 * concurrency permits are renewed or expire. When {@code advance} returns, all of it is done.
 *
 * <p>A thread that blocks in {@code acquire} or {@code tryAcquire} for permits of a {@link
 * TestStore} advances the clock itself, to the instant at which its wait ends. So it takes no real
 * time, and {@link #elapsed} shows how long the wait was. Of several threads that block, one is
 * served after the other. To show how requests queue, a test uses {@code tryAcquireAsync}. A wait
 * that no time ends, as for a permit that the same thread holds, throws {@link
 * IllegalStateException} after some seconds.
 *
 * <p>Code under test that takes a {@link java.time.Clock} takes {@link #withZone
 * clock.withZone(ZoneOffset.UTC)}. Thread-safe.
 */
public final class ManualClock implements Ticker, InstantSource {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Enough for a wait of months, or for fourteen hours of asking for a held permit. */
  private static final int MOST_OF_ONE_WAIT = 500_000;

  /** A task to run once this clock has reached a reading. Those of one reading run in order. */
  private record Task(long nanos, long number, Runnable action) {}

  private final NavigableSet<Task> tasks =
      new TreeSet<>(comparingLong(Task::nanos).thenComparingLong(Task::number));

  /** Held by the one thread that lets time pass and runs tasks. A task may let time pass too. */
  private final ReentrantLock passing = new ReentrantLock();

  private long nanos;
  private long scheduled;
  private Instant date;

  /** Creates a clock that starts at midnight UTC, on the first of January 2026. */
  public ManualClock() {
    this(START);
  }

  /** Creates a clock that starts at this date. */
  public ManualClock(Instant start) {
    date = Objects.requireNonNull(start, "start");
  }

  /** Returns how far the clock has been advanced, in nanoseconds. */
  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  /** Returns the date. */
  @Override
  public synchronized Instant instant() {
    return date;
  }

  /** Returns how far the clock has been advanced since it was created. */
  public Duration elapsed() {
    return Duration.ofNanos(nanoTime());
  }

  /**
   * Lets time pass, for the ticker and the date alike. Before it returns, everything that is due by
   * then has happened.
   *
   * @param time at least zero; at most 292 years over all calls
   * @throws IllegalArgumentException when the time is negative
   * @throws ArithmeticException when it is longer than 292 years over all calls
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw Expect.failure("time", time, ">= 0");
    }
    passing.lock();
    try {
      long endNanos = Math.addExact(nanoTime(), time.toNanos());
      while (runNext(endNanos)) {}
      moveTo(endNanos);
    } finally {
      passing.unlock();
    }
  }

  /**
   * Lets time pass until this date, as {@link #advance} does.
   *
   * @throws IllegalArgumentException when the date is over
   */
  public void advanceTo(Instant time) {
    advance(Duration.between(instant(), time));
  }

  /**
   * Sets the date as an operator sets a server's clock, forward or back. No time passes for the
   * ticker. So only windows that are aligned to a calendar notice.
   */
  public synchronized void setInstant(Instant newDate) {
    date = Objects.requireNonNull(newDate, "newDate");
  }

  /** Returns the date, and how far the clock has been advanced. */
  @Override
  public String toString() {
    return instant() + ", " + elapsed() + " after the start";
  }

  /**
   * Runs an action once, when this much time has passed.
   *
   * @return cancels the action
   */
  synchronized Runnable in(Duration delay, Runnable action) {
    long delayNanos = TimeUnit.NANOSECONDS.convert(delay);
    long dueNanos = nanos + Math.min(Math.max(0, delayNanos), Long.MAX_VALUE - nanos);
    Task task = new Task(dueNanos, scheduled++, action);
    tasks.add(task);
    return () -> {
      synchronized (this) {
        tasks.remove(task);
      }
    };
  }

  /**
   * Runs an action on this thread. Inside of another action, it is run after that: each may start
   * the next, and a long queue would overflow the stack.
   */
  void soon(Runnable action) {
    Runnable unused = in(Duration.ZERO, action);
    if (!passing.isHeldByCurrentThread()) {
      advance(Duration.ZERO);
    }
  }

  /**
   * Begins a wait, and lets time pass until it is done, or nothing is left that could end it. Of
   * several threads that wait so, the next begins after that: it would let time pass that the first
   * is about to wait for.
   *
   * @throws IllegalStateException when no end is in sight
   */
  <T> CompletableFuture<T> passUntilDone(Supplier<CompletableFuture<T>> wait) {
    passing.lock();
    try {
      CompletableFuture<T> answer = wait.get();
      for (int ran = 0; !answer.isDone() && runNext(Long.MAX_VALUE); ran++) {
        if (ran == MOST_OF_ONE_WAIT) {
          answer.cancel(true);
          throw new IllegalStateException(
              "wait: not over at %s (expected: to end; held permits return only when they are closed)"
                  .formatted(this));
        }
      }
      advance(Duration.ZERO); // to what the end of the wait has started
      return answer;
    } finally {
      passing.unlock();
    }
  }

  /** Moves to the next task and runs it, without a lock that it could wait for. */
  private boolean runNext(long endNanos) {
    Task due;
    synchronized (this) {
      if (tasks.isEmpty() || tasks.first().nanos > endNanos) {
        return false;
      }
      due = tasks.pollFirst();
      moveTo(due.nanos);
    }
    due.action.run();
    return true;
  }

  /** Does nothing once a task has let more time pass. */
  private synchronized void moveTo(long newNanos) {
    if (newNanos > nanos) {
      date = date.plusNanos(newNanos - nanos);
      nanos = newNanos;
    }
  }
}
