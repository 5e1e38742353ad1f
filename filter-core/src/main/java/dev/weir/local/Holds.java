package dev.weir.local;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arithmetic of a concurrency limit: who holds how many permits, and until when. It knows no
 * capacity: what is granted is decided before. Times never go back.
 */
final class Holds {

  private final Map<Long, Hold> byId;
  private long sum;

  private record Hold(long permits, long endNanos) {}

  Holds() {
    this(new LinkedHashMap<>(), 0);
  }

  private Holds(Map<Long, Hold> byId, long sum) {
    this.byId = byId;
    this.sum = sum;
  }

  Holds copy() {
    return new Holds(new LinkedHashMap<>(byId), sum);
  }

  /** Lets time pass until now: what has ended is held no more. */
  void age(long nowNanos) {
    if (byId.values().removeIf(hold -> hold.endNanos <= nowNanos)) {
      sum = byId.values().stream().mapToLong(Hold::permits).sum();
    }
  }

  /** How many permits are held. */
  long sum() {
    return sum;
  }

  void take(long id, long permits, long endNanos) {
    byId.put(id, new Hold(permits, endNanos));
    sum += permits;
  }

  void release(long id) {
    Hold hold = byId.remove(id);
    if (hold != null) {
      sum -= hold.permits;
    }
  }

  /** Lets a hold last until then, or longer if it did. Returns whether there is one. */
  boolean renew(long id, long endNanos) {
    return byId.computeIfPresent(
            id, (same, hold) -> new Hold(hold.permits, Math.max(hold.endNanos, endNanos)))
        != null;
  }

  /** How long until so many have returned by themselves; at most all of them. */
  long nanosUntilFreed(long permits, long nowNanos) {
    long left = permits;
    for (Hold hold : inOrderOfEnd()) {
      if (left <= 0) {
        break;
      }
      left -= hold.permits;
      if (left <= 0) {
        return hold.endNanos - nowNanos;
      }
    }
    return 0;
  }

  private List<Hold> inOrderOfEnd() {
    return byId.values().stream().sorted(Comparator.comparingLong(Hold::endNanos)).toList();
  }
}
