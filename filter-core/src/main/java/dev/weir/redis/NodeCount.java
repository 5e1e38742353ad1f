package dev.weir.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The highest count of live nodes heard in the last ten minutes. It ages only when something is
 * heard, so while Redis is away it stands as it was.
 */
final class NodeCount {

  private static final long MEMORY_NANOS = Duration.ofMinutes(10).toNanos();

  private record Heard(long atNanos, int nodes) {}

  /** Oldest first, each higher than those after it: no other can ever be the highest. */
  private final Deque<Heard> candidates = new ArrayDeque<>();

  private int latest = 1;

  synchronized void heard(int nodes, long nowNanos) {
    while (!candidates.isEmpty() && candidates.getLast().nodes() <= nodes) {
      candidates.removeLast();
    }
    candidates.addLast(new Heard(nowNanos, nodes));
    while (nowNanos - candidates.getFirst().atNanos() > MEMORY_NANOS) {
      candidates.removeFirst();
    }
    latest = nodes;
  }

  synchronized int highest() {
    return candidates.isEmpty() ? 1 : candidates.getFirst().nodes();
  }

  synchronized int latest() {
    return latest;
  }
}
