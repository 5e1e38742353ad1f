package dev.weir.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One metric after the other. One that fails gives no rows and keeps no other from being measured;
 * but then nothing is written, for what is there belongs together.
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
    this.bench = new Workbench(redis);
  }

  @SuppressWarnings("SystemOut") // who runs it looks on
  void measure(Metric metric) {
    String names = String.join(", ", metric.names());
    System.out.println(names);
    try {
      redis.clear();
      List<Row> found = metric.measure(bench).stream().filter(options::wants).toList();
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

  List<Row> rows() {
    return List.copyOf(rows);
  }

  List<String> remarks() {
    return bench.remarks();
  }

  /** What could not be measured, or came to nothing true; of a whole run also what is not there. */
  List<String> failed() {
    return failed.isEmpty() && options.only().isEmpty()
        ? Acceptance.unmeasured(rows)
        : List.copyOf(failed);
  }

  List<Row> missed() {
    return rows.stream().filter(Acceptance::isMissed).toList();
  }
}
