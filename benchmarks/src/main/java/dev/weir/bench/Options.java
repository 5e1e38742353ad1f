package dev.weir.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a run is told, by system properties.
 *
 * @param only the metrics to measure, all when there are none; then nothing is written
 * @param gate whether a must that is missed fails the run
 * @param redis the Redis to use instead of one of its own: everything in it is deleted
 * @param docs where the page and the CSV are
 */
record Options(List<String> only, boolean gate, Optional<String> redis, Path docs) {

  static Options ofSystem() {
    return new Options(
        Arrays.stream(System.getProperty("bench.only", "").split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList(),
        Boolean.getBoolean("bench.gate"),
        Optional.of(System.getProperty("redis", "")).filter(uri -> !uri.isBlank()),
        Path.of(System.getProperty("bench.docs", "docs")));
  }

  /**
   * @throws IllegalArgumentException when one is told that none of these has
   */
  void requireKnown(List<Metric> metrics) {
    List<String> known = metrics.stream().flatMap(metric -> metric.names().stream()).toList();
    for (String name : only) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "bench.only: '%s' (expected: of %s)".formatted(name, String.join(", ", known)));
      }
    }
  }

  boolean wants(Metric metric) {
    return only.isEmpty() || metric.names().stream().anyMatch(only::contains);
  }

  boolean wants(Row row) {
    return only.isEmpty() || only.contains(row.metric());
  }
}
