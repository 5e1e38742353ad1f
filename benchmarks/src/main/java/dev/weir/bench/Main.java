package dev.weir.bench;

import dev.weir.bench.metric.Metrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Measures, prints a table, and writes the CSV and the page. */
public final class Main {

  private Main() {}

  /** Ends with status 1 where figures would be untrue, or a must is missed and that matters. */
  public static void main(String[] args) throws Exception {
    Options options = Options.ofSystem();
    System.exit(run(options) ? 0 : 1);
  }

  @SuppressWarnings("SystemOut") // what it is for
  private static boolean run(Options options) throws Exception {
    List<Row> rows = new ArrayList<>();
    try (RedisUnderTest redis = RedisUnderTest.at(options.redis())) {
      Workbench bench = new Workbench(redis);
      Report report = Report.of(redis, options);
      for (Metric metric : Metrics.ALL) {
        if (options.wants(metric)) {
          System.out.println(String.join(", ", metric.names()));
          redis.clear();
          List<Row> found = metric.measure(bench).stream().filter(options::wants).toList();
          found.forEach(row -> System.out.println("  " + row));
          rows.addAll(found);
        }
      }
      System.out.println("\n" + Table.of(rows));
      if (options.only().isEmpty()) {
        write(options, rows, report.text(rows, bench.remarks()));
      }
    }
    List<Row> missed = rows.stream().filter(Acceptance::isMissed).toList();
    missed.forEach(row -> System.out.println("missed: " + row.metric() + ", " + row.peerName()));
    return missed.isEmpty() || !options.gate();
  }

  private static void write(Options options, List<Row> rows, String measured) throws IOException {
    var page = options.docs().resolve("benchmarks.md");
    String text = Files.readString(page, StandardCharsets.UTF_8);
    Files.writeString(page, Markers.replaced(text, measured), StandardCharsets.UTF_8);
    Files.writeString(options.docs().resolve("benchmarks.csv"), Csv.of(rows));
  }
}
