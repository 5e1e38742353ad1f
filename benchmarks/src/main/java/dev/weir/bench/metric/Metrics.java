package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.http.HttpThroughput;
import java.util.List;

/** All that is measured, in order. */
public final class Metrics {

  public static final List<Metric> ALL =
      List.of(
          new ExactDecisions("1000keys", 1_000),
          new ExactDecisions("hotkey", 1),
          new ExactLatency(),
          new ExactUnderLoads(),
          new LeaseHotkey(),
          new DenyHotkey(),
          new DenyLate(),
          new RedisBytes(),
          new LocalTime(),
          new RuleCount(),
          new HttpThroughput());

  private Metrics() {}
}
