package dev.weir.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

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
  private record Heard(long atNanos, int alive, long lost) {}

  /** The replies, oldest first. Of equal replies in a row, only the last is kept. */
  private final Deque<Heard> replies = new ArrayDeque<>();

  private int latest = 1;
  private int highest = 1;

  synchronized void update(int alive, long lost, long nowNanos) {
    @Nullable Heard last = replies.peekLast();
    if (last != null && last.alive() == alive && last.lost() == lost) {
      replies.removeLast();
    }
    replies.addLast(new Heard(nowNanos, alive, lost));
    while (nowNanos - replies.getFirst().atNanos() > MEMORY_NANOS) {
      replies.removeFirst();
    }
    latest = alive;
    highest = replies.stream().mapToInt(then -> notLeft(then, alive, lost)).max().orElse(alive);
  }

  /**
   * Returns the most of the nodes alive then that have not left in order until now. If Redis has
   * lost or restored the list since, no node is known to have left. A new list starts a new count,
   * far from the old one.
   */
  private static int notLeft(Heard then, int alive, long lost) {
    long lostSince = lost - then.lost();
    return lostSince < 0 ? then.alive() : (int) Math.min(then.alive(), alive + lostSince);
  }

  synchronized int highest() {
    return highest;
  }

  synchronized int latest() {
    return latest;
  }
}
