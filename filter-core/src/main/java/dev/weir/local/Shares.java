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

  private record Divided(String name, Limit limit, int nodes) {}

  Shares(ToLongFunction<String> dearestCost) {
    this.dearestCost = dearestCost;
  }

  Share of(Counter counter, int nodes) {
    Divided divided = new Divided(counter.name(), counter.limit(), nodes);
    Share known = shares.get(divided);
    if (known != null) {
      return known;
    }
    Share share = Share.of(counter.limit(), nodes, dearestCost.applyAsLong(counter.name()));
    if (shares.size() >= MOST) {
      shares.clear();
    }
    shares.put(divided, share);
    return share;
  }
}
