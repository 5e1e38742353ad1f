package dev.weir.containers;

import dev.weir.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** How many scenarios have passed where, as README shows it. */
final class Matrix {

  private static final Path FILE = Path.of(System.getProperty("weir.target"), "matrix.md");
  private static final Matrix ALL = new Matrix();

  private final Map<Row, Count> counts = new LinkedHashMap<>();

  /** Where scenarios run. */
  record Row(String place, Edition edition, Jdk jdk) {}

  private record Count(List<String> all, List<String> passed) {}

  private Matrix() {}

  static Matrix all() {
    return ALL;
  }

  /** The same tests, counted. */
  Stream<DynamicTest> counting(Row row, Stream<DynamicTest> tests) {
    Count count =
        counts.computeIfAbsent(row, it -> new Count(new ArrayList<>(), new ArrayList<>()));
    return tests.map(
        test -> {
          count.all().add(test.getDisplayName());
          return DynamicTest.dynamicTest(
              test.getDisplayName(),
              () -> {
                test.getExecutable().execute();
                count.passed().add(test.getDisplayName());
              });
        });
  }

  /** Prints what is known so far, and writes it. */
  @SuppressWarnings("SystemOut") // a test run shows it
  void print() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("| container | API | Java | scenarios passed |");
    lines.add("|---|---|---|---|");
    counts.forEach(
        (row, count) ->
            lines.add(
                "| %s | %s | %s | %d of %d |"
                    .formatted(
                        row.place(),
                        row.edition(),
                        row.jdk().version().feature(),
                        count.passed().size(),
                        count.all().size())));
    Files.write(FILE, lines);
    lines.forEach(System.out::println);
    counts.forEach(
        (row, count) -> failed(count).forEach(it -> System.out.println(row + ": " + it)));
  }

  private static List<String> failed(Count count) {
    List<String> failed = new ArrayList<>(count.all());
    failed.removeAll(count.passed());
    return failed;
  }
}
