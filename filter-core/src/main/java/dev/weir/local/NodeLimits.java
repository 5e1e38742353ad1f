package dev.weir.local;

import dev.weir.Counter;
import dev.weir.NodeShare;
import dev.weir.limit.Limit;
import dev.weir.local.Shards.Now;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Opens counters that have this node's current share of their limit. It caches an unused counter of
 * each share, since its numbers take long to compute. Thread-safe.
 */
final class NodeLimits {

  /** Far more than a configuration has. Code that creates limits dynamically starts over here. */
  private static final int MOST = 1_024;

  private final NodeShare nodeShare;
  private final ToLongFunction<String> dearestCost;

  /** Nothing is taken of these. New counters get their numbers from them. */
  private final Map<Divided, CounterState> unused = new ConcurrentHashMap<>();

  private record Divided(Limit limit, int nodes, long dearest) {}

  /**
   * One node's share of a limit that several nodes divide. All counters of the share have the same
   * object.
   *
   * @param limit as configured, for all nodes together
   * @param dearest the cost of the most expensive request, in permits
   * @param capacity the most that can be acquired at once here, in permits
   */
  record NodeLimit(Limit limit, int nodes, long dearest, long capacity, long timeToFullNanos) {}

  NodeLimits(NodeShare nodeShare, ToLongFunction<String> dearestCost) {
    this.nodeShare = nodeShare;
    this.dearestCost = dearestCost;
  }

  /**
   * Returns the share of one node among so many. It allows every request of the rules at times, so
   * it is at least 1 and the highest cost. It is at most the limit.
   *
   * @param evenPart the limit's capacity divided by the nodes
   */
  static NodeLimit share(Limit limit, int nodes, long dearest, long evenPart) {
    long least = Math.min(limit.capacity(), Math.max(1, dearest));
    long timeToFullNanos = TimeUnit.NANOSECONDS.convert(limit.timeToFull());
    return new NodeLimit(limit, nodes, dearest, Math.max(least, evenPart), timeToFullNanos);
  }

  /** Returns how many nodes share each limit now. */
  int nodes() {
    return Math.max(1, nodeShare.nodes());
  }

  /** Returns whether this share is still current, since nodes, costs and numbers may change. */
  boolean isCurrent(NodeLimit share, Counter counter, int nodes) {
    return share.nodes == nodes
        && share.dearest == dearest(counter)
        && share.limit.equals(counter.limit());
  }

  /** Returns a new, unused counter. */
  CounterState open(Counter counter, int nodes, Now now) {
    Divided divided = new Divided(counter.limit(), nodes, dearest(counter));
    CounterState known = unused.get(divided);
    if (known == null) {
      if (unused.size() >= MOST) {
        unused.clear();
      }
      known = CounterState.of(divided.limit, divided.nodes, divided.dearest, now);
      unused.put(divided, known);
    }
    return known.unused(now);
  }

  private long dearest(Counter counter) {
    return dearestCost.applyAsLong(counter.name());
  }
}
