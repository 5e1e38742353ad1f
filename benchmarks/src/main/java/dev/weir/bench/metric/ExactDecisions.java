package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Decisions per second of 32 threads, each decided by Redis, all allowed. Also the cost of a
 * decision to Redis, in microseconds of a processor and in commands, and its cost to the calling
 * process.
 *
 * @param of how the keys are called in the names of the metrics
 */
record ExactDecisions(String of, int keys) implements Metric {

  private static final int THREADS = 32;
  private static final Duration TRIAL = Duration.ofMillis(700);
  private static final Duration ROUND = Duration.ofMillis(1_500);

  @Override
  public List<String> names() {
    return List.of(
        "exact-" + of + "-32t", "redis-cpu-" + of, "redis-commands-" + of, "client-cpu-" + of);
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(170);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Load load = new Load(THREADS, keys, ROUND);
    Load trial = new Load(THREADS, keys, TRIAL);
    try (Lineup lineup = Lineup.of(Lineup.PEERS, trial, bench)) {
      Map<String, Rounds.Measured<Usage>> measured = new LinkedHashMap<>();
      lineup
          .all()
          .forEach(
              (name, one) ->
                  measured.put(
                      name, () -> Usage.of(load, one, bench.redis()).requireAdmitted(name)));
      Results<Usage> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      lineup.requireExact();
      return lineup.noted(rows(found, lineup.peers()));
    }
  }

  private List<Row> rows(Results<Usage> found, List<String> peers) {
    List<ToDoubleFunction<Usage>> values =
        List.of(Usage::perSecond, Usage::cpuMicros, Usage::commands, Usage::ownCpuMicros);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      for (String peer : peers) {
        rows.add(found.row(names().get(i), Lineup.OURS, peer, values.get(i)));
      }
    }
    return rows;
  }
}
