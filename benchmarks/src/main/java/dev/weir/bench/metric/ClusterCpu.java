package dev.weir.bench.metric;

import dev.weir.Source;
import dev.weir.bench.Metric;
import dev.weir.bench.RedisCluster;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Usage;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.Ours;
import dev.weir.bench.peer.Stores;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a decision costs three primaries together, compared with what the same load costs one Redis.
 */
final class ClusterCpu implements Metric {

  private static final int PRIMARIES = 3;
  private static final int THREADS = 32;
  private static final int KEYS = 1_000;
  private static final int WARM_UPS = 3;
  private static final Duration ROUND = Duration.ofMillis(1_500);
  private static final String CLUSTER = "cluster";
  private static final String STANDALONE = "standalone";

  @Override
  public List<String> names() {
    return List.of("cluster-cpu");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(30);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Load load = new Load(THREADS, KEYS, ROUND);
    try (RedisCluster primaries = RedisCluster.start(PRIMARIES);
        Ours cluster = connected(primaries.uri());
        Ours standalone = connected(bench.redis().uri())) {
      for (int i = 0; i < WARM_UPS; i++) {
        load.on(cluster);
        load.on(standalone);
      }
      cluster.forgetStrays();
      Map<String, Rounds.Measured<Usage>> measured = new LinkedHashMap<>();
      measured.put(
          CLUSTER, () -> Usage.of(load, cluster, primaries::spent).requireAdmitted(CLUSTER));
      measured.put(
          STANDALONE, () -> Usage.of(load, standalone, bench.redis()).requireAdmitted(STANDALONE));
      Results<Usage> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      cluster.requireNoStrays();
      standalone.requireNoStrays();
      return List.of(found.row("cluster-cpu", CLUSTER, STANDALONE, Usage::cpuMicros));
    }
  }

  private static Ours connected(String uri) {
    return new Ours(Stores.exact(uri), KEYS, Numbers.ROOMY, Source.REDIS);
  }
}
