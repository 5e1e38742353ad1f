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

  /** A list starts its count of lost nodes at its time in microseconds, so two are far apart. */
  private static final long ANOTHER_LIST = 1_000_000;

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
  private int lost;

  /**
   * @param lostInAll the count of lost nodes of this list, which begins anywhere
   */
  synchronized void update(int alive, long lostInAll, long nowNanos) {
    replies.replaceAll(then -> then.after(alive, lostInAll));
    replies.removeIf(
        then ->
            nowNanos - then.atNanos() > MEMORY_NANOS
                || (then.alive() == alive && then.lost() == lostInAll));
    replies.add(new Reply(nowNanos, alive, lostInAll));
    latest = alive;
    highest = replies.stream().mapToInt(Reply::alive).max().orElse(alive);
    lost = (int) Math.min(Integer.MAX_VALUE, lostInAll - oldestOfList(lostInAll));
  }

  /** Returns the smallest count of lost nodes that is of the same list. */
  private long oldestOfList(long lostInAll) {
    return replies.stream()
        .mapToLong(Reply::lost)
        .filter(then -> then <= lostInAll && lostInAll - then < ANOTHER_LIST)
        .min()
        .orElse(lostInAll);
  }

  synchronized int highest() {
    return highest;
  }

  synchronized int latest() {
    return latest;
  }

  /** Returns how many nodes were lost in the last ten minutes, without those that have left. */
  synchronized int lost() {
    return lost;
  }
}
