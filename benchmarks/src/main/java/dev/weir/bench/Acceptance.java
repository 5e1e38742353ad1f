package dev.weir.bench;

import static dev.weir.bench.Bound.Column.OURS;
import static dev.weir.bench.Bound.Column.RATIO;
import static dev.weir.bench.Bound.Sense.AT_LEAST;
import static dev.weir.bench.Bound.Sense.AT_MOST;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The bounds by which rows are judged. A row without a bound is for information. */
final class Acceptance {

  private static final List<Bound> ALL = Stream.of(single(), grid()).flatMap(List::stream).toList();

  private Acceptance() {}

  private static List<Bound> single() {
    return List.of(
        new Bound("exact-1000keys-32t", "naive-lua", RATIO, AT_LEAST, 1.3, 1.6),
        new Bound("exact-1000keys-32t", "go-zero-script", RATIO, AT_LEAST, 1.5, 2.3),
        new Bound("exact-1000keys-32t", "bucket4j-redis", RATIO, AT_LEAST, 2.5, 4),
        new Bound("exact-1000keys-32t", "redisson", RATIO, AT_LEAST, 2, 7),
        new Bound("exact-hotkey-32t", "naive-lua", RATIO, AT_LEAST, 1.9, 3),
        new Bound("exact-hotkey-32t", "bucket4j-redis", RATIO, AT_LEAST, 2.5, 100),
        new Bound("exact-1t-latency-p50", "naive-lua", RATIO, AT_MOST, 1.0, 0.95),
        new Bound("client-cpu-1t", "naive-lua", RATIO, AT_MOST, 1.2, 1.0),
        new Bound("redis-cpu-1000keys", "naive-lua", RATIO, AT_MOST, 0.42, 0.30),
        new Bound("redis-cpu-hotkey", "naive-lua", RATIO, AT_MOST, 0.22, 0.10),
        new Bound("cluster-cpu", "standalone", RATIO, AT_MOST, 1.5, 1.15),
        new Bound("lease-hotkey-32t", "naive-lua", RATIO, AT_LEAST, 50, 100),
        new Bound("lease-hotkey-commands", "naive-lua", OURS, AT_MOST, 0.01, 0.01),
        new Bound("lease-hotkey-overadmitted", "promise", OURS, AT_MOST, 0, 0),
        new Bound("deny-hotkey-32t", "naive-lua", RATIO, AT_LEAST, 100, 200),
        new Bound("deny-hotkey-commands", "naive-lua", OURS, AT_MOST, 0, 0),
        new Bound("deny-late", "denials", OURS, AT_MOST, 0, 0),
        new Bound("local-time", "bucket4j-local", RATIO, AT_MOST, 1.5, 1.1),
        new Bound("local-bytes", "bucket4j-local", OURS, AT_MOST, 200, 120),
        new Bound("http-lease", "unlimited", RATIO, AT_LEAST, 0.85, 0.92),
        new Bound("http-exact-1000keys", "unlimited", RATIO, AT_LEAST, 0.45, 0.60),
        new Bound("http-exact-1000keys", "naive-lua", RATIO, AT_LEAST, 1.0, 1.3),
        new Bound("http-cpu-exact-1000keys", "naive-lua", RATIO, AT_MOST, 1.05, 0.8),
        new Bound("http-exact-4c", "naive-lua", RATIO, AT_LEAST, 0.95, 1.0),
        new Bound("http-exact-8c", "naive-lua", RATIO, AT_LEAST, 0.97, 1.2),
        new Bound("http-exact-128c", "naive-lua", RATIO, AT_LEAST, 1.1, 1.6),
        new Bound("http-denied", "unlimited", RATIO, AT_LEAST, 0.88, 0.88),
        new Bound("attack-honest", "calm", RATIO, AT_LEAST, 0.45, 0.45),
        new Bound("http-exact-virtual", "naive-lua", RATIO, AT_LEAST, 2, 2),
        new Bound("http-local", "unlimited", RATIO, AT_LEAST, 0.88, 0.93),
        new Bound("redis-bytes-token", "go-zero-script", OURS, AT_MOST, 200, 180),
        new Bound("redis-bytes-window", "go-zero-script", OURS, AT_MOST, 185, 160),
        new Bound("redis-bytes-sliding", "go-zero-script", OURS, AT_MOST, 230, 210),
        new Bound("inprocess-ns", "bucket4j-local", OURS, AT_MOST, 250, 120),
        new Bound("inprocess-bytes", "bucket4j-local", OURS, AT_MOST, 250, 64),
        new Bound("rules-1000", "rules-10", RATIO, AT_MOST, 1.5, 1.1),
        new Bound("rules-10", "bucket4j-local", RATIO, AT_MOST, 6, 4.3),
        new Bound("rules-10-bytes", "bucket4j-local", OURS, AT_MOST, 700, 400),
        ofKind("cost-fixed-grant"),
        ofKind("cost-fixed-denial"),
        ofKind("cost-token-denial"),
        ofKind("cost-sliding-10-grant"),
        ofKind("cost-leaky-grant"),
        cost("cost-sliding-60-batch64", 1_000),
        cost("cost-concurrency-10-grant", 50),
        cost("cost-concurrency-10-denial", 50),
        cost("cost-concurrency-10-release", 50),
        cost("cost-concurrency-10-renewal", 50),
        cost("cost-concurrency-100-grant", 50),
        cost("cost-concurrency-100-denial", 50),
        cost("cost-concurrency-100-release", 50),
        cost("cost-concurrency-100-renewal", 50),
        cost("cost-concurrency-1000-grant", 50),
        cost("cost-concurrency-1000-denial", 50),
        cost("cost-concurrency-1000-release", 50),
        cost("cost-concurrency-1000-renewal", 50));
  }

  private static List<Bound> grid() {
    List<Bound> all = new ArrayList<>();
    all.addAll(grid("near-1t", 0.85, 0.95));
    all.addAll(grid("near-8t", 1, 1.2));
    all.addAll(grid("near-32t", 1.6, 2.2));
    all.addAll(grid("near-256v", 3, 5));
    for (String far : List.of("1ms-", "10ms-")) {
      all.addAll(grid(far + "1t", 0.95, 1));
      all.addAll(grid(far + "8t", 0.95, 1));
      all.addAll(grid(far + "32t", 0.97, 1.2));
    }
    all.addAll(grid("1ms-256v", 4, 6));
    return all;
  }

  /**
   * Returns the bounds of one place of the grid; its 99th percentile has the same bounds
   * everywhere.
   */
  private static List<Bound> grid(String place, double must, double goal) {
    return List.of(
        new Bound("grid-" + place, "naive-lua", RATIO, AT_LEAST, must, goal),
        new Bound("grid-" + place + "-p99", "naive-lua", RATIO, AT_MOST, 1.15, 0.9));
  }

  /** Returns a bound beside the naive script for the same kind of limit. */
  private static Bound ofKind(String metric) {
    return new Bound(metric, "naive-lua", RATIO, AT_MOST, 1.3, 1.1);
  }

  /** Returns a bound on Redis' time; the goal is the same as the must. */
  private static Bound cost(String metric, double micros) {
    return new Bound(metric, "naive-lua", OURS, AT_MOST, micros, micros);
  }

  static Optional<Bound> of(Row row) {
    return ALL.stream().filter(bound -> bound.isOf(row)).findFirst();
  }

  /** Returns the names of the metrics that have bounds. */
  static Set<String> metrics() {
    return ALL.stream().map(Bound::metric).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns bounds without a row: a misnamed peer would otherwise escape its bound. */
  static List<String> unmeasured(List<Row> rows) {
    return ALL.stream()
        .filter(bound -> rows.stream().noneMatch(bound::isOf))
        .map(bound -> bound.metric() + " beside " + bound.peerName())
        .toList();
  }

  /** Returns how many musts are met, which are missed, and which could not be measured. */
  static String headline(List<Row> rows) {
    List<Row> judged = rows.stream().filter(row -> of(row).isPresent()).toList();
    List<Row> missed = judged.stream().filter(Acceptance::isMissed).toList();
    List<Row> voided = judged.stream().filter(Row::isVoid).toList();
    int met = judged.size() - missed.size() - voided.size();
    return "**%d of %d musts are met.**".formatted(met, judged.size())
        + list(" Missed: ", missed)
        + list(" Void: ", voided);
  }

  private static String list(String label, List<Row> rows) {
    return rows.isEmpty()
        ? ""
        : rows.stream()
            .map(row -> "`%s` beside %s".formatted(row.metric(), row.peerName()))
            .collect(Collectors.joining(", ", label, "."));
  }

  /** Returns false for a void row, which was not measured. */
  static boolean isMissed(Row row) {
    return !row.isVoid() && of(row).map(bound -> !bound.isMet(row)).orElse(false);
  }
}
