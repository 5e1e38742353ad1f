package dev.weir.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of live nodes that Redis has returned, and the most nodes that may share a limit. For
 * each beat of the last ten minutes, those are the live nodes that have not left in order since.
 * The largest of these numbers counts. A lost node may still be alive, cut off from Redis.
 *
 * <p>A node that stops while Redis stalls cannot leave the list, so it counts like a lost one, for
 * ten minutes after the last beat before the stall. If it were alive and cut off, it would decide
 * by its share meanwhile. The other shares are too small until then, which is the safe side.
 *
 * <p>Counts age only when a newer count arrives, so during an outage they stay as they were.
 * Thread-safe.
 */
final class NodeCount {

  private static final long MEMORY_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * One reply.
   *
   * @param alive the most of the nodes alive then that have not left in order since
   * @param lost the count of lost nodes, for the comparison of two replies
   */
  private record Reply(long atNanos, int alive, long lost) {

    /**
     * Returns the same after a later reply. If Redis has lost or restored the list since, no
     * further node is known to have left. A new list starts a new count, far from the old one.
     */
    Reply after(int aliveNow, long lostNow) {
      long lostSince = lostNow - lost;
      return lostSince < 0
          ? this
          : new Reply(atNanos, (int) Math.min(alive, aliveNow + lostSince), lost);
    }
  }

  /** The replies of the last ten minutes. Of equal replies, only the last is kept. */
  private final List<Reply> replies = new ArrayList<>();

  private int latest = 1;
  private int highest = 1;

  synchronized void update(int alive, long lost, long nowNanos) {
    replies.replaceAll(then -> then.after(alive, lost));
    replies.removeIf(
        then ->
            nowNanos - then.atNanos() > MEMORY_NANOS
                || (then.alive() == alive && then.lost() == lost));
    replies.add(new Reply(nowNanos, alive, lost));
    latest = alive;
    highest = replies.stream().mapToInt(Reply::alive).max().orElse(alive);
  }

  synchronized int highest() {
    return highest;
  }

  synchronized int latest() {
    return latest;
  }
}
