package dev.weir.near;

import dev.weir.Ticker;
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
 * <p>Model. Code that waits blocks its thread, as it does where time is real; and as long as it
 * waits others go on. So there are as many threads as somebody waits, and one more, but only one of
 * them runs: it takes the next event, and does it. Whoever is to wait lets another one go on with
 * the events, and rests until an event wakes it; who has taken that event lets it run, and rests
 * itself. So events are in the order of their times, those of one time in the order in which they
 * came, and the same run comes of the same events.
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

  /** Somebody who waits for an event. */
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
