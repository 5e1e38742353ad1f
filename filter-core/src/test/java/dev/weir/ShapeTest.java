package dev.weir;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of all modules stay small, and so do the packages and the API of core and rules. */
class ShapeTest {

  private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

  @Test
  void a_file_holds_one_idea() {
    List<Path> all =
        MODULE
            .matcher(Documents.text("pom.xml"))
            .results()
            .flatMap(module -> sources(module.group(1) + "/src"))
            .toList();
    assertThat(all)
        .extracting(file -> Documents.root().relativize(file).getName(0).toString())
        .contains("filter-core", "servlet-filter", "extras", "benchmarks");
    assertThat(all).filteredOn(file -> text(file).lines().count() > 500).isEmpty();
  }

  @Test
  void a_package_holds_one_subject() {
    Map<Path, Long> types =
        sources().stream().collect(groupingBy(Path::getParent, TreeMap::new, counting()));
    assertThat(types)
        .isNotEmpty()
        .allSatisfy((home, count) -> assertThat(count).isLessThanOrEqualTo(37L));
  }

  @Test
  void a_user_sees_few_types() {
    assertThat(sources())
        .filteredOn(file -> !file.toString().contains("internal"))
        .filteredOn(file -> PUBLIC.matcher(text(file)).find())
        .as("public types; more of them need a line in docs/internals/decisions.md")
        .hasSizeLessThanOrEqualTo(72);
  }

  private static List<Path> sources() {
    return Stream.of("filter-core", "filter-rules")
        .flatMap(module -> sources(module + "/src/main/java"))
        .toList();
  }

  private static Stream<Path> sources(String folder) {
    Path root = Documents.root().resolve(folder);
    if (Files.notExists(root)) {
      return Stream.empty(); // a module that repackages another
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
