package dev.weir.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The options of a run, from system properties.
 *
 * @param only the metrics to measure, all when empty; otherwise nothing is written. The beginning
 *     of a name up to a hyphen selects all names that begin so: {@code grid}
 * @param rounds the most rounds of each metric; if present, nothing is written
 * @param gate whether a missed must fails the run
 * @param before the all-jar of an earlier build, which is measured in the same rounds
 * @param redis the Redis to use instead of one of its own: everything in it is deleted
 * @param docs the directory of the pages
 */
record Options(
    List<String> only,
    Optional<Integer> rounds,
    boolean gate,
    Optional<Path> before,
    Optional<String> redis,
    Path docs) {

  static Options ofSystem() {
    return new Options(
        Arrays.stream(System.getProperty("bench.only", "").split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList(),
        Optional.of(System.getProperty("bench.rounds", ""))
            .filter(rounds -> !rounds.isBlank())
            .map(Integer::valueOf),
        Boolean.getBoolean("bench.gate"),
        Optional.of(System.getProperty("bench.before", ""))
            .filter(jar -> !jar.isBlank())
            .map(Path::of),
        Optional.of(System.getProperty("redis", "")).filter(uri -> !uri.isBlank()),
        Path.of(System.getProperty("bench.docs", "docs")));
  }

  /**
   * @throws IllegalArgumentException when an option names a metric that none of these has
   */
  void requireKnown(List<Metric> metrics) {
    List<String> known = metrics.stream().flatMap(metric -> metric.names().stream()).toList();
    for (String name : only) {
      if (known.stream().noneMatch(metric -> isMeant(name, metric))) {
        throw new IllegalArgumentException(
            "bench.only: '%s' (expected: of %s)".formatted(name, String.join(", ", known)));
      }
    }
  }

  boolean wants(Metric metric) {
    return only.isEmpty() || metric.names().stream().anyMatch(this::isMeant);
  }

  boolean wants(Row row) {
    return only.isEmpty() || isMeant(row.metric());
  }

  /** Returns whether everything is measured, which is required for writing. */
  boolean isWhole() {
    return only.isEmpty() && rounds.isEmpty();
  }

  /** Returns the command of a run of everything, as a page states it: without directories. */
  String command() {
    return "mvn -q -Pbench verify"
        + before.map(jar -> " -Dbench.before=" + jar.getFileName()).orElse("")
        + redis.map(uri -> " -Dredis=…").orElse("");
  }

  private boolean isMeant(String metric) {
    return only.stream().anyMatch(name -> isMeant(name, metric));
  }

  private static boolean isMeant(String name, String metric) {
    return metric.equals(name) || metric.startsWith(name + "-");
  }
}
