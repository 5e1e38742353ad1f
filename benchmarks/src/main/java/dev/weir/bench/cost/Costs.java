package dev.weir.bench.cost;

import dev.weir.bench.Results;
import dev.weir.bench.Row;
import dev.weir.bench.peer.NaiveLua;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of a round, in microseconds.
 *
 * @param micros by the verb
 */
record Costs(Map<String, Double> micros) {

  static final String OURS = "weir";

  static final String GRANT = "grant";
  static final String DENIAL = "denial";
  static final String RELEASE = "release";
  static final String RENEWAL = "renewal";
  static final String BATCH = "batch64";

  double of(String verb) {
    return micros.getOrDefault(verb, Double.NaN);
  }

  /**
   * Returns rows for these names, which end with their verbs.
   *
   * @param batchVerb the kind of decisions in a batch: grants or denials
   */
  static List<Row> rows(Results<Costs> found, List<String> names, String batchVerb) {
    List<Row> rows = new ArrayList<>();
    for (String name : names) {
      String verb = name.substring(name.lastIndexOf('-') + 1);
      rows.add(
          new Row(
              name,
              found.median(OURS, costs -> costs.of(verb)),
              found.median(NaiveLua.NAME, costs -> peer(costs, verb, batchVerb)),
              NaiveLua.NAME));
    }
    return rows;
  }

  /** Returns the peer's cost; it only grants and denies, one decision after the other. */
  private static double peer(Costs costs, String verb, String batchVerb) {
    return switch (verb) {
      case BATCH -> Batch.SIZE * costs.of(batchVerb);
      case DENIAL -> costs.of(DENIAL);
      default -> costs.of(GRANT);
    };
  }
}
