package dev.weir.local;

import dev.weir.limit.Limit;
import java.util.concurrent.TimeUnit;

/**
 * One node's share of a limit that several nodes divide among themselves. All counters of the share
 * have the same object. Immutable.
 *
 * @param limit as configured, for all nodes together
 * @param dearest the cost of the most expensive request, in permits
 * @param capacity the most that can be acquired at once here, in permits
 */
record NodeLimit(Limit limit, int nodes, long dearest, long capacity, long timeToFullNanos) {

  /**
   * Returns the share of one node among so many. It allows every request of the rules at times, so
   * it is at least 1 and the highest cost. It is at most the limit.
   *
   * @param evenPart the limit's capacity divided by the nodes
   */
  static NodeLimit of(Limit limit, int nodes, long dearest, long evenPart) {
    long least = Math.min(limit.capacity(), Math.max(1, dearest));
    return new NodeLimit(
        limit,
        nodes,
        dearest,
        Math.max(least, evenPart),
        TimeUnit.NANOSECONDS.convert(limit.timeToFull()));
  }

  /** Returns whether this is the share of that limit among so many nodes, with such costs. */
  boolean isOf(Limit other, int otherNodes, long otherDearest) {
    return nodes == otherNodes && dearest == otherDearest && limit.equals(other);
  }
}
