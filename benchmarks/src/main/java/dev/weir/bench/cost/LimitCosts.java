package dev.weir.bench.cost;

import dev.weir.bench.Metric;
import java.util.List;

/** The cost of each kind of limit. */
public final class LimitCosts {

  public static final List<Metric> ALL =
      List.of(
          new PerTimeCost("token", "1000000 per second, burst 1000000", "1 per hour, burst 1"),
          new PerTimeCost("fixed", "1000000000 per day window", "1 per day window"),
          new PerTimeCost("calendar", "1000000000 per month window UTC", "1 per month window UTC"),
          sliding(10),
          sliding(60),
          new PerTimeCost("leaky", "1000000 per second leaky", "1 per hour leaky, capacity 1"),
          new ConcurrencyCost(10),
          new ConcurrencyCost(100),
          new ConcurrencyCost(1_000));

  private LimitCosts() {}

  /** Creates a window with as many permits as sub-windows count at once: one returns in each. */
  private static Metric sliding(int subWindows) {
    String form = "%d per 1200 ms sliding, sub-windows %d";
    return new PerTimeCost(
        "sliding-" + subWindows,
        form.formatted(1_000_000_000, subWindows),
        form.formatted(subWindows + 1, subWindows));
  }
}
