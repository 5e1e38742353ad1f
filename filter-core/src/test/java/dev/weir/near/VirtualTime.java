package dev.weir.near;

import dev.weir.store.LimitStore.Ticker;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes from one event to the next.
 *
 * <p>Model. Code that waits blocks its thread, as it does in real time, and other threads continue
 * meanwhile. So there is one thread for each wait, and one more, but only one of them runs. It
 * takes the next event and runs it. A thread that starts to wait lets another thread continue with
 * the events, and blocks until an event wakes it. The thread that took that event lets the woken
 * thread run, and blocks itself. So events run in the order of their times, and events of one time
 * in the order in which they came. The same events always give the same run.
 */
final class VirtualTime implements Ticker {

  private static final long NANOS_IN_MICRO = 1_000;
  private static final long STACK_BYTES = 256 << 10;

  private record Event(long atMicros, long number, Runnable action) {}

  private static final Comparator<Event> ORDER =
      Comparator.comparingLong(Event::atMicros).thenComparingLong(Event::number);

  private final Queue<Event> events = new PriorityQueue<>(ORDER);
  private final Deque<Semaphore> resting = new ArrayDeque<>();
  private final Semaphore over = new Semaphore(0);
  private @Nullable Pause woken;
  private @Nullable Throwable failure;
  private boolean isOver;
  private long nowMicros;
  private long count;

  /** A thread that waits for an event. */
  final class Pause {

    private final Semaphore turn = new Semaphore(0);

    /** Until {@link #endAt} comes true, which it must. */
    void await() {
      letAnotherGoOn();
      turn.acquireUninterruptibly();
    }

    void endAt(long atMicros) {
      at(atMicros, () -> woken = this);
    }
  }

  @Override
  public long nanoTime() {
    return nowMicros * NANOS_IN_MICRO;
  }

  long micros() {
    return nowMicros;
  }

  /** Lets something happen, now or later. */
  void at(long atMicros, Runnable action) {
    if (atMicros < nowMicros) {
      throw new IllegalArgumentException("at: " + atMicros + " (expected: >= " + nowMicros + ")");
    }
    events.add(new Event(atMicros, count++, action));
  }

  /** Lets everything happen, until nothing more does. */
  void run() {
    letAnotherGoOn();
    over.acquireUninterruptibly();
    isOver = true;
    resting.forEach(Semaphore::release);
    if (failure != null) {
      throw new AssertionError("at " + nowMicros + " µs", failure);
    }
  }

  private void letAnotherGoOn() {
    @Nullable Semaphore other = resting.poll();
    if (other != null) {
      other.release();
      return;
    }
    Thread thread = new Thread(null, this::goOn, "virtual-time", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }

  private void goOn() {
    try {
      Semaphore mine = new Semaphore(0);
      @Nullable Event next = events.poll();
      while (next != null) {
        nowMicros = next.atMicros();
        next.action().run();
        if (woken != null) {
          restInFavourOf(woken, mine);
          if (isOver) {
            return;
          }
        }
        next = events.poll();
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    over.release();
  }

  private void restInFavourOf(Pause other, Semaphore mine) {
    woken = null;
    resting.push(mine);
    other.turn.release();
    mine.acquireUninterruptibly();
  }
}
