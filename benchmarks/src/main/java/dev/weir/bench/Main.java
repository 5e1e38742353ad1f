package dev.weir.bench;

import dev.weir.bench.metric.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Measures, prints a table, and writes the CSV, the pages and the chart. */
public final class Main {

  private Main() {}

  /** Exits with status 1 when a measurement failed, or when a must that matters is missed. */
  public static void main(String[] args) throws IOException {
    Options options = Options.ofSystem();
    options.requireKnown(Metrics.ALL);
    System.exit(status(options));
  }

  /** Returns the status after Redis is closed: an exit would not wait for that. */
  private static int status(Options options) throws IOException {
    try (RedisUnderTest redis = RedisUnderTest.at(options.redis())) {
      Run run = new Run(options, redis);
      Report report = Report.of(redis, options);
      run.measure(Metrics.ALL.stream().filter(options::wants).toList());
      print(run);
      if (options.isWhole() && run.failed().isEmpty()) {
        write(run, options.docs(), report);
      }
      return run.failed().isEmpty() && (run.missed().isEmpty() || !options.gate()) ? 0 : 1;
    }
  }

  @SuppressWarnings("SystemOut") // the purpose of this program
  private static void print(Run run) {
    System.out.println("\n" + Table.of(run.rows()));
    run.missed().forEach(row -> System.out.println("missed: " + row));
    run.failed().forEach(metric -> System.out.println("failed: " + metric));
  }

  private static void write(Run run, Path docs, Report report) throws IOException {
    Path inside = docs.resolve("internals");
    replace(inside.resolve("benchmarks.md"), report.text(run.rows(), run.remarks()));
    String csv = Csv.of(run.rows());
    Files.writeString(inside.resolve("benchmarks.csv"), csv);
    List<Row> written = Csv.rows(csv); // so that all of them show the same figures
    replace(docs.resolve("benchmarks.md"), Figures.of(written));
    for (Chart chart : Chart.ALL) {
      Files.writeString(chart.in(docs.resolve("images")), chart.of(written));
    }
  }

  private static void replace(Path page, String measured) throws IOException {
    Files.writeString(page, Markers.replaced(Files.readString(page), measured));
  }
}
