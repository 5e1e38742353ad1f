package dev.weir.local;

import dev.weir.Counter;
import dev.weir.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** Remembers this node's part of each limit, since every new counter wants it. */
final class Shares {

  /** Far more than a configuration has: whoever makes limits as they come starts over here. */
  private static final int MOST = 1_024;

  private final Map<Divided, Share> shares = new ConcurrentHashMap<>();
  private final ToLongFunction<String> dearestCost;

  private record Divided(Limit limit, int nodes, long dearest) {}

  Shares(ToLongFunction<String> dearestCost) {
    this.dearestCost = dearestCost;
  }

  /** Whether this part is still the one that holds: nodes, costs and numbers may change. */
  boolean holds(Share share, Counter counter, int nodes) {
    return share.isOf(counter.limit(), nodes, dearest(counter));
  }

  Share of(Counter counter, int nodes) {
    Divided divided = new Divided(counter.limit(), nodes, dearest(counter));
    Share known = shares.get(divided);
    if (known != null) {
      return known;
    }
    Share share = Share.of(divided.limit, divided.nodes, divided.dearest);
    if (shares.size() >= MOST) {
      shares.clear();
    }
    shares.put(divided, share);
    return share;
  }

  private long dearest(Counter counter) {
    return dearestCost.applyAsLong(counter.name());
  }
}
