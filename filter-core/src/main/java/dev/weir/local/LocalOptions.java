package dev.weir.local;

import dev.weir.NodeShare;
import dev.weir.Ticker;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * How a {@link LocalLimitStore} limits.
 *
 * @param share how many nodes share each limit
 * @param dearestCost what the dearest single request charges a limit of this name, in permits: no
 *     share is smaller, so that every request of the rules can pass at times. It is asked for each
 *     decision, on the thread that decides, and may change
 * @param maxCounters how many subjects are counted apart at most, from 1 to 2^30; more than that
 *     share one counter per limit
 * @param ticker passes time
 * @param calendar tells the date, for windows that are aligned to a calendar and for nothing else
 */
public record LocalOptions(
    NodeShare share,
    ToLongFunction<String> dearestCost,
    int maxCounters,
    Ticker ticker,
    InstantSource calendar) {

  private static final int MAX_COUNTERS = 100_000;
  private static final int MOST_COUNTERS = 1 << 30;

  /**
   * @throws IllegalArgumentException when maxCounters is out of its range
   */
  public LocalOptions {
    Objects.requireNonNull(share, "share");
    Objects.requireNonNull(dearestCost, "dearestCost");
    Objects.requireNonNull(ticker, "ticker");
    Objects.requireNonNull(calendar, "calendar");
    if (maxCounters < 1 || maxCounters > MOST_COUNTERS) {
      throw new IllegalArgumentException(
          "maxCounters: " + maxCounters + " (expected: from 1 to 2^30)");
    }
  }

  /** One node on its own, which therefore has all of each limit. */
  public static LocalOptions embedded() {
    return sharedBy(NodeShare.of(1));
  }

  /** One of several nodes. */
  public static LocalOptions sharedBy(NodeShare share) {
    return new LocalOptions(
        share, name -> 1L, MAX_COUNTERS, Ticker.system(), InstantSource.system());
  }

  /** The same with other dearest costs, in permits, by the name of the limit. */
  public LocalOptions withDearestCost(ToLongFunction<String> newDearestCost) {
    return new LocalOptions(share, newDearestCost, maxCounters, ticker, calendar);
  }

  /** The same with another cap. */
  public LocalOptions withMaxCounters(int newMaxCounters) {
    return new LocalOptions(share, dearestCost, newMaxCounters, ticker, calendar);
  }

  /** The same in another time, as tests want it. */
  public LocalOptions withTime(Ticker newTicker, InstantSource newCalendar) {
    return new LocalOptions(share, dearestCost, maxCounters, newTicker, newCalendar);
  }
}
