package dev.weir.local;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arithmetic of a concurrency limit: the number of permits of each holder, and when they
 * expire. It has no capacity, because callers decide before they take permits. Times never go back.
 */
final class Holders {

  private final Map<Long, Holder> byId;
  private long sum;

  private record Holder(long permits, long endNanos) {}

  Holders() {
    this(new LinkedHashMap<>(), 0);
  }

  private Holders(Map<Long, Holder> byId, long sum) {
    this.byId = byId;
    this.sum = sum;
  }

  Holders copy() {
    return new Holders(new LinkedHashMap<>(byId), sum);
  }

  /** Advances time to now, and removes expired permits. */
  void age(long nowNanos) {
    if (byId.values().removeIf(holder -> holder.endNanos <= nowNanos)) {
      sum = byId.values().stream().mapToLong(Holder::permits).sum();
    }
  }

  /** Returns how many permits are held. */
  long sum() {
    return sum;
  }

  void take(long id, long permits, long endNanos) {
    byId.put(id, new Holder(permits, endNanos));
    sum += permits;
  }

  void release(long id) {
    Holder holder = byId.remove(id);
    if (holder != null) {
      sum -= holder.permits;
    }
  }

  /** Extends permits to this end, unless they last longer already. Returns whether they exist. */
  boolean renew(long id, long endNanos) {
    return byId.computeIfPresent(
            id, (same, holder) -> new Holder(holder.permits, Math.max(holder.endNanos, endNanos)))
        != null;
  }

  /** Returns the time until so many permits have expired, at most all of them. */
  long nanosUntilFreed(long permits, long nowNanos) {
    long left = permits;
    for (Holder holder : inOrderOfEnd()) {
      if (left <= 0) {
        break;
      }
      left -= holder.permits;
      if (left <= 0) {
        return holder.endNanos - nowNanos;
      }
    }
    return 0;
  }

  private List<Holder> inOrderOfEnd() {
    return byId.values().stream().sorted(Comparator.comparingLong(Holder::endNanos)).toList();
  }
}
