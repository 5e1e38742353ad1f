package dev.weir.containers;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** How many scenarios have passed where, as the page on compatibility shows it. */
final class Matrix {

  private static final Path FILE = Path.of(System.getProperty("weir.target"), "matrix.md");
  private static final Path LOCK = FILE.resolveSibling("matrix.lock");
  private static final List<String> HEADER =
      List.of("| container | API | Java | scenarios passed |", "|---|---|---|---|");

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

  /** Prints and writes the results so far, of this process and of those that run alongside. */
  @SuppressWarnings("SystemOut") // a test run shows it
  void print() throws IOException {
    List<String> lines;
    try (FileChannel turn = FileChannel.open(LOCK, CREATE, WRITE)) {
      FileLock unused = turn.lock(); // until it is closed
      lines = merged(Files.exists(FILE) ? Files.readAllLines(FILE) : HEADER);
      Files.write(FILE, lines);
    }
    lines.forEach(System.out::println);
    counts.forEach(
        (row, count) -> failed(count).forEach(it -> System.out.println(row + ": " + it)));
  }

  /** With the rows of this process in place of those of the same name. */
  private List<String> merged(List<String> written) {
    Map<String, String> lines = new LinkedHashMap<>();
    written.forEach(
        line -> lines.put(line.substring(0, line.lastIndexOf('|', line.length() - 2)), line));
    counts.forEach(
        (row, count) -> {
          String name =
              "| %s | %s | %s "
                  .formatted(row.place(), row.edition(), row.jdk().version().feature());
          lines.put(
              name, "%s| %d of %d |".formatted(name, count.passed().size(), count.all().size()));
        });
    return List.copyOf(lines.values());
  }

  private static List<String> failed(Count count) {
    List<String> failed = new ArrayList<>(count.all());
    failed.removeAll(count.passed());
    return failed;
  }
}
