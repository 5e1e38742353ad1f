package dev.weir.local;

import dev.weir.Counter;
import dev.weir.internal.NodeShare;
import dev.weir.limit.Limit;
import dev.weir.local.OutageClock.Now;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  NodeLimits(NodeShare nodeShare, ToLongFunction<String> dearestCost) {
    this.nodeShare = nodeShare;
    this.dearestCost = dearestCost;
  }

  /** Returns how many nodes share each limit now. */
  int nodes() {
    return Math.max(1, nodeShare.nodes());
  }

  /** Returns whether this share is still current, since nodes, costs and numbers may change. */
  boolean isCurrent(NodeLimit nodeLimit, Counter counter, int nodes) {
    return nodeLimit.isOf(counter.limit(), nodes, dearest(counter));
  }

  /** Returns a new, unused counter. */
  CounterState open(Counter counter, int nodes, Now now) {
    Divided divided = new Divided(counter.limit(), nodes, dearest(counter));
    CounterState known = unused.get(divided);
    if (known != null) {
      return known.unused(now);
    }
    CounterState first = CounterState.of(divided.limit, divided.nodes, divided.dearest, now);
    if (unused.size() >= MOST) {
      unused.clear();
    }
    unused.put(divided, first);
    return first.unused(now);
  }

  private long dearest(Counter counter) {
    return dearestCost.applyAsLong(counter.name());
  }
}
