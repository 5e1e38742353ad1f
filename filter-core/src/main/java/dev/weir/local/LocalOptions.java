package dev.weir.local;

import dev.weir.internal.Expect;
import dev.weir.store.LimitStore.Ticker;
import java.time.Instant;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The options of a {@link LocalLimitStore}.
 *
 * @param nodes how many nodes share each limit, at least 1; it is read for each decision, and may
 *     change
 * @param maxCounters the maximum number of subjects with separate counters, over all limits, from 1
 *     to 2^30. Each limit has an even part of it, at least 1. When that is used up, its new
 *     subjects share one counter. It is read for each new counter, and may change. When it
 *     decreases, existing counters stay until they are full. A store that started with 4,096 or
 *     more keeps at least 16 for each limit
 * @param limits how many limits divide the cap, as far as known. Limits that were not announced are
 *     given parts too. It is read for each new counter, and may grow. When it does, existing
 *     counters stay until they are full, beyond the new parts
 * @param ticker measures time
 * @param calendar returns the date, only for windows that are aligned to a calendar
 */
public record LocalOptions(
    IntSupplier nodes,
    IntSupplier maxCounters,
    IntSupplier limits,
    Ticker ticker,
    Supplier<Instant> calendar) {

  /** The default cap, which needs 40 to 60 MB when it is reached. */
  public static final int DEFAULT_MAX_COUNTERS = 100_000;

  /** The largest cap. */
  public static final int MOST_COUNTERS = 1 << 30;

  /**
   * @throws IllegalArgumentException when maxCounters is out of its range now
   */
  public LocalOptions {
    Objects.requireNonNull(maxCounters, "maxCounters");
    Objects.requireNonNull(nodes, "nodes");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(ticker, "ticker");
    Objects.requireNonNull(calendar, "calendar");
    int cap = maxCounters.getAsInt();
    if (cap < 1 || cap > MOST_COUNTERS) {
      throw new IllegalArgumentException("maxCounters: " + cap + " (expected: from 1 to 2^30)");
    }
  }

  /**
   * Returns options for a single node, which has all of each limit, with the default cap and the
   * system's time.
   */
  public static LocalOptions of() {
    return new LocalOptions(
        () -> 1, () -> DEFAULT_MAX_COUNTERS, () -> 0, Ticker.system(), Instant::now);
  }

  /**
   * Returns options for one of so many nodes.
   *
   * @throws IllegalArgumentException when nodes is not positive
   */
  public LocalOptions withNodes(int newNodes) {
    Expect.positive("nodes", newNodes);
    return withNodes(() -> newNodes);
  }

  /** Returns options for one of several nodes, whose number may change. */
  public LocalOptions withNodes(IntSupplier newNodes) {
    return new LocalOptions(newNodes, maxCounters, limits, ticker, calendar);
  }

  /** Returns options with another cap. */
  public LocalOptions withMaxCounters(int newMaxCounters) {
    return withMaxCounters(() -> newMaxCounters);
  }

  /** Returns options with a cap that may change. */
  public LocalOptions withMaxCounters(IntSupplier newMaxCounters) {
    return new LocalOptions(nodes, newMaxCounters, limits, ticker, calendar);
  }

  /** Returns options for so many limits, which divide the cap. */
  public LocalOptions withLimits(IntSupplier newLimits) {
    return new LocalOptions(nodes, maxCounters, newLimits, ticker, calendar);
  }

  /** Returns options with another source of time, for tests. */
  public LocalOptions withTime(Ticker newTicker, Supplier<Instant> newCalendar) {
    return new LocalOptions(nodes, maxCounters, limits, newTicker, newCalendar);
  }
}
