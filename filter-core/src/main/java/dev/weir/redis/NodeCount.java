package dev.weir.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The counts of live nodes that Redis has replied, and the most nodes that may share a limit: of
 * those alive at any beat of the last ten minutes, all that have not left in order since. A node
 * that was lost may still be alive, cut off from Redis.
 *
 * <p>Counts age only when another one is heard, so during an outage they stay as they were.
 * Thread-safe.
 */
final class NodeCount {

  private static final long MEMORY_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * One reply.
   *
   * @param lost the count of lost nodes, by which two replies are compared
   */
  private record Heard(long atNanos, int alive, long lost) {

    boolean isAsBefore(Heard before) {
      return alive == before.alive && lost == before.lost;
    }

    /**
     * The most of those alive then that have not left in order until now. Of a list that Redis has
     * lost or restored since, nothing is known to have left: it begins anew, and counts of two
     * lists are far apart.
     */
    int notLeft(Heard now) {
      long lostSince = now.lost - lost;
      return lostSince < 0 ? alive : (int) Math.min(alive, now.alive + lostSince);
    }
  }

  /** Oldest first. Of equal replies in a row, only the last. */
  private final Deque<Heard> replies = new ArrayDeque<>();

  private int latest = 1;
  private int highest = 1;

  synchronized void heard(int alive, long lost, long nowNanos) {
    Heard now = new Heard(nowNanos, alive, lost);
    if (!replies.isEmpty() && now.isAsBefore(replies.getLast())) {
      replies.removeLast();
    }
    replies.addLast(now);
    while (nowNanos - replies.getFirst().atNanos() > MEMORY_NANOS) {
      replies.removeFirst();
    }
    latest = alive;
    highest = replies.stream().mapToInt(reply -> reply.notLeft(now)).max().orElse(alive);
  }

  synchronized int highest() {
    return highest;
  }

  synchronized int latest() {
    return latest;
  }
}
