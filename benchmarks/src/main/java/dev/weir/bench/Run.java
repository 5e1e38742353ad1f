package dev.weir.bench;

import dev.weir.bench.peer.EarlierJar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A run of one metric after the other. A metric that fails gives no rows, and the others are still
 * measured. But then nothing is written, because the rows belong together.
 */
final class Run {

  private final Options options;
  private final RedisUnderTest redis;
  private final Workbench bench;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();

  Run(Options options, RedisUnderTest redis) {
    this.options = options;
    this.redis = redis;
    this.bench = new Workbench(redis, options.rounds(), options.before().map(EarlierJar::new));
  }

  /** Measures all of these, after it prints how long they will take. */
  @SuppressWarnings("SystemOut") // the user watches the run
  void measure(List<Metric> metrics) {
    System.out.println("plan: " + minutes(metrics));
    for (int i = 0; i < metrics.size(); i++) {
      List<Metric> left = metrics.subList(i, metrics.size());
      System.out.println("[" + minutes(left) + " left] " + names(metrics.get(i)));
      measure(metrics.get(i));
    }
  }

  private static String minutes(List<Metric> metrics) {
    Duration sum = metrics.stream().map(Metric::plan).reduce(Duration.ZERO, Duration::plus);
    return String.format(Locale.ROOT, "%.1f minutes", sum.toSeconds() / 60.0);
  }

  private static String names(Metric metric) {
    return String.join(", ", metric.names());
  }

  @SuppressWarnings("SystemOut") // the user watches the run
  private void measure(Metric metric) {
    String names = names(metric);
    try {
      redis.clear();
      Optional<MachineTime> before = MachineTime.now();
      List<Row> measured = metric.measure(bench);
      Conditions conditions = since(before);
      List<Row> found =
          measured.stream().filter(options::wants).map(row -> row.under(conditions)).toList();
      found.forEach(row -> System.out.println("  " + row));
      rows.addAll(found);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed.add(names + ": interrupted");
    } catch (Exception e) {
      e.printStackTrace(System.out);
      failed.add(names + ": " + e.getMessage());
    }
  }

  private static Conditions since(Optional<MachineTime> before) {
    int processors = Runtime.getRuntime().availableProcessors();
    return before
        .flatMap(began -> MachineTime.now().map(now -> now.since(began, processors)))
        .orElse(Conditions.UNKNOWN);
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  List<String> remarks() {
    return bench.remarks();
  }

  /** Returns the metrics that failed or gave untrue figures; for a whole run also missing ones. */
  List<String> failed() {
    return failed.isEmpty() && options.isWhole()
        ? Acceptance.unmeasured(rows)
        : List.copyOf(failed);
  }

  List<Row> missed() {
    return rows.stream().filter(Acceptance::isMissed).toList();
  }
}
