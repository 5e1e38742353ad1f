package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.cost.LimitCosts;
import dev.weir.bench.grid.Grid;
import dev.weir.bench.http.AttackHonest;
import dev.weir.bench.http.HttpConnections;
import dev.weir.bench.http.HttpThroughput;
import dev.weir.bench.http.HttpVirtual;
import java.util.List;
import java.util.stream.Stream;

/** All metrics, in order. */
public final class Metrics {

  public static final List<Metric> ALL =
      Stream.of(
              List.of(
                  new ExactDecisions("1000keys", 1_000),
                  new ExactDecisions("hotkey", 1),
                  new ExactLatency(),
                  new ExactUnderLoads()),
              Grid.all(),
              LimitCosts.ALL,
              List.of(
                  new ClusterCpu(),
                  new LeaseHotkey(),
                  new DenyHotkey(),
                  new DenyLate(),
                  new RedisBytes(),
                  new LocalTime(),
                  new RuleCount(),
                  new HttpThroughput()),
              HttpConnections.ALL,
              List.of(new HttpVirtual(), new AttackHonest()))
          .flatMap(List::stream)
          .toList();

  private Metrics() {}
}
