package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.jmh.Jmh;
import dev.weir.bench.jmh.Jmh.Cost;
import dev.weir.bench.jmh.RuleDecisions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of a request among 1, 10 and 1000 rules, in nanoseconds and in bytes: compared with each
 * other, and with one bucket alone.
 */
final class RuleCount implements Metric {

  @Override
  public List<String> names() {
    return List.of("rules-1000", "rules-1", "rules-1000-bytes", "rules-10", "rules-10-bytes");
  }

  @Override
  public Duration plan() {
    return Duration.ofMinutes(2);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Map<String, Rounds.Measured<Cost>> all = new LinkedHashMap<>();
    for (int rules : List.of(1, 10, 1_000)) {
      Map<String, String> parameters = Map.of("rules", String.valueOf(rules));
      all.put("rules-" + rules, () -> Jmh.once(RuleDecisions.class, "limit", parameters, ""));
    }
    all.put(LocalTime.BUCKET4J, () -> LocalTime.local("bucket4j", LocalTime.KEPT));
    Results<Cost> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), all);
    return List.of(
        found.row("rules-1000", "rules-1000", "rules-10", Cost::nanos),
        found.row("rules-1", "rules-1", "rules-10", Cost::nanos),
        found.row("rules-1000-bytes", "rules-1000", "rules-10", Cost::bytes),
        found.row("rules-10", "rules-10", LocalTime.BUCKET4J, Cost::nanos),
        found.row("rules-10-bytes", "rules-10", LocalTime.BUCKET4J, Cost::bytes));
  }
}
