package dev.weir.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The eight rows of the page on benchmarks, which most readers need. */
final class Figures {

  private static final String HEAD =
      """
      | what | row | Weir | naive Lua | Bucket4j |
      |---|---|---|---|---|
      """;

  /** Of a peer that has no such row. */
  static final ToDoubleFunction<List<Row>> NOT_MEASURED = rows -> Double.NaN;

  /** A row of the page, and where the figures of its peers are. */
  private record Line(
      String what,
      String metric,
      String format,
      ToDoubleFunction<List<Row>> naive,
      ToDoubleFunction<List<Row>> bucket4j) {

    String of(List<Row> rows) {
      return "| %s | `%s` | %s | %s | %s |\n"
          .formatted(
              what,
              metric,
              shown(ours(rows, metric)),
              shown(naive.applyAsDouble(rows)),
              shown(bucket4j.applyAsDouble(rows)));
    }

    private String shown(double figure) {
      return Double.isNaN(figure) ? "–" : String.format(Locale.ROOT, format, figure);
    }
  }

  private static final List<Line> LINES =
      List.of(
          new Line(
              "exact decisions/s, 1,000 keys, 32 threads",
              "exact-1000keys-32t",
              "%,.0f",
              rows -> peer(rows, "exact-1000keys-32t", "naive-lua"),
              rows -> peer(rows, "exact-1000keys-32t", "bucket4j-redis")),
          new Line(
              "Redis CPU for each of these, µs",
              "redis-cpu-1000keys",
              "%.1f",
              rows -> peer(rows, "redis-cpu-1000keys", "naive-lua"),
              rows -> peer(rows, "redis-cpu-1000keys", "bucket4j-redis")),
          new Line(
              "one thread: median wait, µs",
              "exact-1t-latency-p50",
              "%.1f",
              rows -> peer(rows, "exact-1t-latency-p50", "naive-lua"),
              NOT_MEASURED),
          new Line(
              "32 threads, Redis 1 ms away: decisions/s",
              "grid-1ms-32t",
              "%,.0f",
              rows -> peer(rows, "grid-1ms-32t", "naive-lua"),
              NOT_MEASURED),
          new Line(
              "256 virtual threads, 1 ms away: decisions/s",
              "grid-1ms-256v",
              "%,.0f",
              rows -> peer(rows, "grid-1ms-256v", "naive-lua"),
              NOT_MEASURED),
          new Line(
              "denials/s of a key that is used up",
              "deny-hotkey-32t",
              "%,.0f",
              rows -> peer(rows, "deny-hotkey-32t", "naive-lua"),
              NOT_MEASURED),
          new Line(
              "one decision in process, ns",
              "local-time",
              "%.1f",
              NOT_MEASURED,
              rows -> peer(rows, "local-time", "bucket4j-local")),
          new Line(
              "Jetty with a filter, exact: requests/s",
              "http-exact-1000keys",
              "%,.0f",
              rows -> ours(rows, "http-naive-lua"),
              rows -> ours(rows, "http-bucket4j-redis")));

  private Figures() {}

  static String of(List<Row> rows) {
    StringBuilder table = new StringBuilder(HEAD);
    LINES.forEach(line -> table.append(line.of(rows)));
    return table.toString();
  }

  static double ours(List<Row> rows, String metric) {
    return first(rows, row -> row.metric().equals(metric)).ours();
  }

  static double peer(List<Row> rows, String metric, String peer) {
    return first(rows, row -> row.metric().equals(metric) && row.peerName().equals(peer)).peer();
  }

  private static Row first(List<Row> rows, Predicate<Row> isMeant) {
    return rows.stream().filter(isMeant).findFirst().orElseThrow();
  }
}
