package dev.weir.local;

import dev.weir.limit.Limit;
import dev.weir.local.Shards.Now;
import dev.weir.store.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Opens counters that have this node's current share of their limit. It caches an unused counter of
 * each share, since its numbers take long to compute. Thread-safe.
 */
final class NodeLimits {

  /** Far more than a configuration has. Code that creates limits dynamically starts over here. */
  private static final int MOST = 1_024;

  private final IntSupplier nodes;

  /** Nothing is taken of these. New counters get their numbers from them. */
  private final Map<Divided, CounterState> unused = new ConcurrentHashMap<>();

  private record Divided(Limit limit, int nodes) {}

  /**
   * One node's share of a limit that several nodes divide. All counters of the share have the same
   * object.
   *
   * @param limit as configured, for all nodes together
   * @param capacity the share, in permits; a request that costs more leaves a debt
   */
  record NodeLimit(Limit limit, int nodes, long capacity, long timeToFullNanos) {}

  NodeLimits(IntSupplier nodes) {
    this.nodes = nodes;
  }

  /**
   * Returns the share of one node among so many, at least 1.
   *
   * @param evenPart the limit's capacity divided by the nodes
   */
  static NodeLimit share(Limit limit, int nodes, long evenPart) {
    long timeToFullNanos = TimeUnit.NANOSECONDS.convert(limit.timeToFull());
    return new NodeLimit(limit, nodes, Math.max(1, evenPart), timeToFullNanos);
  }

  /** Returns how many nodes share each limit now. */
  int nodes() {
    return Math.max(1, nodes.getAsInt());
  }

  /** Returns whether this share is still current, since nodes and numbers may change. */
  boolean isCurrent(NodeLimit share, Counter counter, int nodes) {
    return share.nodes == nodes && share.limit.equals(counter.limit());
  }

  /** Returns a new, unused counter. */
  CounterState open(Counter counter, int nodes, Now now) {
    Divided divided = new Divided(counter.limit(), nodes);
    CounterState known = unused.get(divided);
    if (known == null) {
      if (unused.size() >= MOST) {
        unused.clear();
      }
      known = CounterState.of(divided.limit, divided.nodes, now);
      unused.put(divided, known);
    }
    return known.unused(now);
  }
}
