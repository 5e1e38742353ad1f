package dev.weir.internal.wait;

import dev.weir.internal.Expect;
import dev.weir.internal.store.CounterKeys;
import dev.weir.store.Subject;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Limits how many requests wait. One subject has at most a quarter of the places, so that a flood
 * of one leaves room for others. {@link Subject#global} counts as one subject. Thread-safe.
 */
public final class WaiterLimit {

  private static final int SHARES = 4;

  private final int most;
  private final int mostOfOne;
  private final CounterKeys keys = new CounterKeys();
  private final Map<CounterKeys.CounterKey, Integer> takenBy = new HashMap<>();
  private int taken;

  /**
   * @param most how many there are, at least 4
   * @throws IllegalArgumentException when there are fewer
   */
  public WaiterLimit(int most) {
    if (most < SHARES) {
      throw Expect.failure("most", most, ">= " + SHARES);
    }
    this.most = most;
    this.mostOfOne = most / SHARES;
  }

  /**
   * Takes one place for a request of all these subjects, and returns whether there was one. If so,
   * call {@link #leave} once.
   */
  public synchronized boolean take(Set<Subject> subjects) {
    if (taken == most
        || subjects.stream().anyMatch(it -> takenBy.getOrDefault(key(it), 0) >= mostOfOne)) {
      return false;
    }
    taken++;
    subjects.forEach(subject -> takenBy.merge(key(subject), 1, Integer::sum));
    return true;
  }

  /** Returns a place that was taken for the same subjects. */
  public synchronized void leave(Set<Subject> subjects) {
    taken--;
    subjects.forEach(
        subject -> takenBy.computeIfPresent(key(subject), (same, n) -> n == 1 ? null : n - 1));
  }

  private CounterKeys.CounterKey key(Subject subject) {
    return keys.of("", subject);
  }
}
