package dev.weir.bench.peer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The number of outages that Weir's filters have seen. The figures are then untrue. An earlier
 * build has {@link Outages} of its own, and this one.
 */
public final class SeenOutages {

  private static final AtomicInteger SEEN = new AtomicInteger();

  private SeenOutages() {}

  public static void add() {
    SEEN.incrementAndGet();
  }

  /** Drops earlier outages, such as those before Redis answered for the first time. */
  public static void forget() {
    SEEN.set(0);
  }

  public static void requireNone() {
    if (SEEN.get() > 0) {
      throw new IllegalStateException(
          "http: %d times out of Redis (expected: 0)".formatted(SEEN.get()));
    }
  }
}
