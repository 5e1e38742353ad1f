package dev.weir.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The counts of live nodes that Redis has returned, and the most nodes that may share a limit. For
 * each beat of the last ten minutes, those are the live nodes that have not left in order since.
 * The largest of these numbers counts. A lost node may still be alive, cut off from Redis.
 *
 * <p>Counts age only when a newer count arrives, so during an outage they stay as they were.
 * Thread-safe.
 */
final class NodeCount {

  private static final long MEMORY_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * One reply.
   *
   * @param lost the count of lost nodes, for the comparison of two replies
   */
  private record Heard(long atNanos, int alive, long lost) {

    boolean isAsBefore(Heard before) {
      return alive == before.alive && lost == before.lost;
    }

    /**
     * Returns the most of the nodes alive then that have not left in order until now. If Redis has
     * lost or restored the list since, no node is known to have left. A new list starts a new
     * count, far from the old one.
     */
    int notLeft(Heard now) {
      long lostSince = now.lost - lost;
      return lostSince < 0 ? alive : (int) Math.min(alive, now.alive + lostSince);
    }
  }

  /** The replies, oldest first. Of equal replies in a row, only the last is kept. */
  private final Deque<Heard> replies = new ArrayDeque<>();

  private int latest = 1;
  private int highest = 1;

  synchronized void update(int alive, long lost, long nowNanos) {
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
