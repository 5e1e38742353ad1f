package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Load.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decisions per second with fewer threads, with more, and with keys from a million, most of which
 * are not in Redis. Rounds are short.
 */
final class ExactUnderLoads implements Metric {

  private static final Duration ROUND = Duration.ofMillis(400);

  private static final Map<String, Load> LOADS = loads();

  private static Map<String, Load> loads() {
    Map<String, Load> loads = new LinkedHashMap<>();
    loads.put("exact-1000keys-1t", new Load(1, 1_000, ROUND));
    loads.put("exact-1000keys-8t", new Load(8, 1_000, ROUND));
    loads.put("exact-1000keys-64t", new Load(64, 1_000, ROUND));
    loads.put("exact-1000000keys-32t", new Load(32, 1_000_000, ROUND));
    return loads;
  }

  @Override
  public List<String> names() {
    return List.copyOf(LOADS.keySet());
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(160);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<String, Load> one : LOADS.entrySet()) {
      rows.addAll(rows(one.getKey(), one.getValue(), bench));
    }
    return rows;
  }

  private static List<Row> rows(String metric, Load load, Workbench bench) throws Exception {
    try (Lineup lineup = Lineup.of(Lineup.NAIVE, load, bench)) {
      Map<String, Rounds.Measured<Outcome>> measured = new LinkedHashMap<>();
      lineup
          .all()
          .forEach((name, one) -> measured.put(name, () -> load.on(one).requireAdmitted(name)));
      Results<Outcome> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      lineup.requireExact();
      return lineup.noted(
          lineup.peers().stream()
              .map(peer -> found.row(metric, Lineup.OURS, peer, Outcome::perSecond))
              .toList());
    }
  }
}
