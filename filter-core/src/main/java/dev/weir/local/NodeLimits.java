package dev.weir.local;

import dev.weir.Counter;
import dev.weir.limit.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** A cache of this node's part of each limit, which every new counter requires. */
final class NodeLimits {

  /** Far more than a configuration has. Code that creates limits dynamically starts over here. */
  private static final int MOST = 1_024;

  private final Map<Divided, NodeLimit> nodeLimits = new ConcurrentHashMap<>();
  private final ToLongFunction<String> dearestCost;

  private record Divided(Limit limit, int nodes, long dearest) {}

  NodeLimits(ToLongFunction<String> dearestCost) {
    this.dearestCost = dearestCost;
  }

  /** Returns whether this part is still current, since nodes, costs and numbers may change. */
  boolean holds(NodeLimit nodeLimit, Counter counter, int nodes) {
    return nodeLimit.isOf(counter.limit(), nodes, dearest(counter));
  }

  NodeLimit of(Counter counter, int nodes) {
    Divided divided = new Divided(counter.limit(), nodes, dearest(counter));
    NodeLimit known = nodeLimits.get(divided);
    if (known != null) {
      return known;
    }
    NodeLimit nodeLimit = NodeLimit.of(divided.limit, divided.nodes, divided.dearest);
    if (nodeLimits.size() >= MOST) {
      nodeLimits.clear();
    }
    nodeLimits.put(divided, nodeLimit);
    return nodeLimit;
  }

  private long dearest(Counter counter) {
    return dearestCost.applyAsLong(counter.name());
  }
}
