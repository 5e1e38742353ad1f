package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.RedisCluster;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Usage;
import dev.weir.bench.peer.Keys;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.Ours;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of a decision to all primaries of a cluster together, compared with its cost to one
 * Redis under the same load. It measures a cluster of one primary, where batches are as large, and
 * one of three.
 */
final class ClusterCpu implements Metric {

  private static final int THREADS = 32;
  private static final int KEYS = 1_000;
  private static final int WARM_UPS = 3;
  private static final Duration ROUND = Duration.ofMillis(1_500);
  private static final String ONE = "cluster of 1";
  private static final String THREE = "cluster of 3";
  private static final String STANDALONE = "standalone";

  @Override
  public List<String> names() {
    return List.of("cluster-cpu", "cluster-3-cpu");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(45);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Load load = new Load(THREADS, KEYS, ROUND);
    try (RedisCluster one = RedisCluster.start(1);
        RedisCluster three = RedisCluster.start(3);
        Ours ofOne = connected(one.uri());
        Ours ofThree = connected(three.uri());
        Ours standalone = connected(bench.redis().uri())) {
      List<Ours> all = List.of(ofOne, ofThree, standalone);
      for (int i = 0; i < WARM_UPS; i++) {
        for (Ours each : all) {
          load.on(each);
        }
      }
      all.forEach(Ours::forgetStrays);
      Map<String, Rounds.Measured<Usage>> measured = new LinkedHashMap<>();
      measured.put(ONE, () -> Usage.of(load, ofOne, one::spent).requireAdmitted(ONE));
      measured.put(THREE, () -> Usage.of(load, ofThree, three::spent).requireAdmitted(THREE));
      measured.put(
          STANDALONE, () -> Usage.of(load, standalone, bench.redis()).requireAdmitted(STANDALONE));
      Results<Usage> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      all.forEach(Ours::requireNoStrays);
      return List.of(
          found.row("cluster-cpu", ONE, STANDALONE, Usage::cpuMicros),
          found.row("cluster-3-cpu", THREE, STANDALONE, Usage::cpuMicros));
    }
  }

  private static Ours connected(String uri) {
    return Ours.exact(Keys.APPLICATION, uri, KEYS, Numbers.ROOMY);
  }
}
