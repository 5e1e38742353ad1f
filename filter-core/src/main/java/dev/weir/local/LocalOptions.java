package dev.weir.local;

import dev.weir.NodeShare;
import dev.weir.Ticker;
import java.time.Instant;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * How a {@link LocalLimitStore} limits.
 *
 * @param share how many nodes share each limit
 * @param dearestCost what the dearest single request charges a limit of this name, in permits: no
 *     share is smaller, so that every request of the rules can pass at times. It is asked for each
 *     decision, on the thread that decides, and may change
 * @param maxCounters how many subjects are counted apart at most, over all limits, from 1 to 2^30.
 *     Each limit has an even part of it, at least 1; at that, its newcomers share one counter. It
 *     is asked for each new counter, and may change: where it becomes less, those that are held
 *     stay until they are full
 * @param limits how many limits divide that among themselves, as far as it is known: those that
 *     come unannounced are given parts too. It is asked for each new counter, and may grow
 * @param ticker passes time
 * @param calendar tells the date, for windows that are aligned to a calendar and for nothing else
 */
public record LocalOptions(
    NodeShare share,
    ToLongFunction<String> dearestCost,
    IntSupplier maxCounters,
    IntSupplier limits,
    Ticker ticker,
    Supplier<Instant> calendar) {

  /** The cap unless told otherwise, which comes to 35 to 55 MB when it is reached. */
  public static final int DEFAULT_MAX_COUNTERS = 100_000;

  /** The largest cap. */
  public static final int MOST_COUNTERS = 1 << 30;

  /**
   * @throws IllegalArgumentException when maxCounters is out of its range now
   */
  public LocalOptions {
    Objects.requireNonNull(maxCounters, "maxCounters");
    Objects.requireNonNull(share, "share");
    Objects.requireNonNull(dearestCost, "dearestCost");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(ticker, "ticker");
    Objects.requireNonNull(calendar, "calendar");
    int cap = maxCounters.getAsInt();
    if (cap < 1 || cap > MOST_COUNTERS) {
      throw new IllegalArgumentException("maxCounters: " + cap + " (expected: from 1 to 2^30)");
    }
  }

  /** One node on its own, which therefore has all of each limit. */
  public static LocalOptions embedded() {
    return sharedBy(NodeShare.of(1));
  }

  /** One of several nodes. */
  public static LocalOptions sharedBy(NodeShare share) {
    return new LocalOptions(
        share, name -> 1L, () -> DEFAULT_MAX_COUNTERS, () -> 0, Ticker.system(), Instant::now);
  }

  /** The same with other dearest costs, in permits, by the name of the limit. */
  public LocalOptions withDearestCost(ToLongFunction<String> newDearestCost) {
    return new LocalOptions(share, newDearestCost, maxCounters, limits, ticker, calendar);
  }

  /** The same with another cap. */
  public LocalOptions withMaxCounters(int newMaxCounters) {
    return withMaxCounters(() -> newMaxCounters);
  }

  /** The same with a cap that may change. */
  public LocalOptions withMaxCounters(IntSupplier newMaxCounters) {
    return new LocalOptions(share, dearestCost, newMaxCounters, limits, ticker, calendar);
  }

  /** The same for so many limits, which divide the cap. */
  public LocalOptions withLimits(IntSupplier newLimits) {
    return new LocalOptions(share, dearestCost, maxCounters, newLimits, ticker, calendar);
  }

  /** The same in another time, as tests want it. */
  public LocalOptions withTime(Ticker newTicker, Supplier<Instant> newCalendar) {
    return new LocalOptions(share, dearestCost, maxCounters, limits, newTicker, newCalendar);
  }
}
