package dev.weir.local;

import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Opens counters that have this node's share of their limit. It caches an unused counter of each
 * share, since its numbers take long to compute. Thread-safe.
 */
final class NodeLimits {

  /** Far more than a configuration has. Code that creates limits dynamically starts over here. */
  private static final int MOST = 1_024;

  /** Nothing is taken of these. New counters get their numbers from them. */
  private final Map<Divided, CounterState> unused = new ConcurrentHashMap<>();

  private final Supplier<Instant> calendar;

  private record Divided(Limit limit, int nodes) {}

  NodeLimits(Supplier<Instant> calendar) {
    this.calendar = calendar;
  }

  /** Returns a new, unused counter at this time, of a limit that so many nodes share. */
  CounterState open(Counter counter, int nodes, long nanos, long tickNanos) {
    Divided divided = new Divided(counter.limit(), nodes);
    CounterState known = unused.get(divided);
    if (known == null) {
      if (unused.size() >= MOST) {
        unused.clear();
      }
      known = CounterState.of(divided.limit, divided.nodes, calendar);
      unused.put(divided, known);
    }
    CounterState opened = known.unused();
    opened.age(nanos, tickNanos);
    return opened;
  }
}
