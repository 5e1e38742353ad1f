package dev.weir;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what no store keeps a place for: in one line for each subject, in order of arrival.
 * The first of a line asks; the others wait for their turn. Thread-safe.
 */
final class Lines {

  private final Timer timer;
  private final Ticker ticker;
  private final Map<Subject, Deque<Runnable>> turns = new HashMap<>();

  /**
   * @param timer tells when to ask again
   * @param ticker tells how long there is left to wait
   */
  Lines(Timer timer, Ticker ticker) {
    this.timer = timer;
    this.ticker = ticker;
  }

  Timer timer() {
    return timer;
  }

  long nanoTime() {
    return ticker.nanoTime();
  }

  synchronized boolean isAnybodyWaiting(Subject subject) {
    return turns.containsKey(subject);
  }

  /**
   * Joins the line; to be left once.
   *
   * @param turn run, on a thread of the timer, when everybody before has left
   * @return whether nobody is before
   */
  synchronized boolean join(Subject subject, Runnable turn) {
    Deque<Runnable> line = turns.computeIfAbsent(subject, nobody -> new ArrayDeque<>());
    line.addLast(turn);
    return line.size() == 1;
  }

  synchronized void leave(Subject subject, Runnable turn) {
    @Nullable Deque<Runnable> line = turns.get(subject);
    if (line == null) {
      return;
    }
    boolean wasFirst = line.peekFirst() == turn;
    line.removeIf(each -> each == turn);
    if (line.isEmpty()) {
      turns.remove(subject);
    } else if (wasFirst) {
      timer.after(0, line.getFirst());
    }
  }
}
