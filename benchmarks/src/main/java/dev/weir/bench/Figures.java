package dev.weir.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The eight rows of the page on benchmarks, which most readers need. */
final class Figures {

  private static final String HEAD =
      """
      | what | row | Weir | naive Lua | Bucket4j |
      |---|---|---|---|---|
      """;

  /** Of a peer that has no such row. */
  /**
   * A row of the page. A peer is a name in the rows of the metric, or a metric of its own. It is
   * empty if it was not measured.
   */
  private record Line(String what, String metric, String format, String naive, String bucket4j) {

    String of(List<Row> rows) {
      return "| %s | `%s` | %s | %s | %s |\n"
          .formatted(
              what, metric, shown(ours(rows, metric)), ofPeer(rows, naive), ofPeer(rows, bucket4j));
    }

    private String ofPeer(List<Row> rows, String name) {
      if (name.isEmpty()) {
        return "–";
      }
      boolean isMetric = rows.stream().anyMatch(row -> row.metric().equals(name));
      return shown(isMetric ? ours(rows, name) : peer(rows, metric, name));
    }

    private String shown(double figure) {
      return String.format(Locale.ROOT, format, figure);
    }
  }

  private static final List<Line> LINES =
      List.of(
          new Line(
              "exact decisions/s, 1,000 keys, 32 threads",
              "exact-1000keys-32t",
              "%,.0f",
              "naive-lua",
              "bucket4j-redis"),
          new Line(
              "Redis CPU for each of these, µs",
              "redis-cpu-1000keys",
              "%.1f",
              "naive-lua",
              "bucket4j-redis"),
          new Line("one thread: median wait, µs", "exact-1t-latency-p50", "%.1f", "naive-lua", ""),
          new Line(
              "32 threads, Redis 1 ms away: decisions/s", "grid-1ms-32t", "%,.0f", "naive-lua", ""),
          new Line(
              "256 virtual threads, 1 ms away: decisions/s",
              "grid-1ms-256v",
              "%,.0f",
              "naive-lua",
              ""),
          new Line(
              "denials/s of a key that is used up", "deny-hotkey-32t", "%,.0f", "naive-lua", ""),
          new Line("one decision in process, ns", "local-time", "%.1f", "", "bucket4j-local"),
          new Line(
              "Jetty with a filter, exact: requests/s",
              "http-exact-1000keys",
              "%,.0f",
              "http-naive-lua",
              "http-bucket4j-redis"));

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
