package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One thing has one name: no former name of {@code former-names.txt} comes back. */
class VocabularyTest {

  private static final Path LIST =
      Documents.root().resolve("filter-core/src/test/resources/dev/weir/former-names.txt");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");

  private static final Pattern CODE_SPAN = Pattern.compile("`[^`\n]+`");

  /** These give the new name of a former one. */
  private static final Set<String> HINTS =
      Set.of("RedisReader.java", "BadTopLevelTest.java", "CHANGELOG.md");

  /** A former name, and the present one. */
  record Former(String name, String today) {

    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest
  @MethodSource("words")
  void no_file_contains_a_former_word(Former former) {
    Pattern word = Pattern.compile("(?<![\\w-])" + Pattern.quote(former.name) + "(?![\\w-])");
    List<String> found = new ArrayList<>();
    for (Path file : files(".java", ".lua", ".md", ".yaml", ".yml", ".xml", ".txt")) {
      if (!HINTS.contains(file.getFileName().toString()) && word.matcher(text(file)).find()) {
        found.add(file.toString());
      }
    }
    assertThat(found).as("%s is called %s", former.name, former.today).isEmpty();
  }

  @Test
  void no_type_is_declared_by_a_former_name() {
    Set<String> former = former("types").map(Former::name).collect(Collectors.toSet());
    List<String> found = new ArrayList<>();
    for (Path file : files(".java")) {
      DECLARED
          .matcher(text(file))
          .results()
          .map(declared -> declared.group(1))
          .filter(former::contains)
          .forEach(name -> found.add(file + ": " + name));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void no_document_names_a_former_type() {
    Pattern types =
        Pattern.compile(
            former("types")
                .map(Former::name)
                .collect(Collectors.joining("|", "(?<![\\w-])(?:", ")(?![\\w-])")));
    List<String> found = new ArrayList<>();
    for (Path file : files(".md")) {
      if (HINTS.contains(file.getFileName().toString())) {
        continue;
      }
      CODE_SPAN
          .matcher(text(file))
          .results()
          .map(MatchResult::group)
          .filter(span -> types.matcher(span).find())
          .forEach(span -> found.add(file + ": " + span));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void no_name_is_both_former_and_present() {
    Set<String> today =
        Stream.of("types", "words")
            .flatMap(VocabularyTest::former)
            .map(Former::today)
            .collect(Collectors.toSet());
    assertThat(Stream.of("types", "words").flatMap(VocabularyTest::former).map(Former::name))
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(today);
  }

  static Stream<Former> words() {
    return former("words");
  }

  /** The names of one section of the list. */
  private static Stream<Former> former(String section) {
    return text(LIST)
        .lines()
        .dropWhile(line -> !line.startsWith("# " + section))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> !line.isBlank())
        .map(line -> line.split("\\s+"))
        .map(names -> new Former(names[0], names[1]));
  }

  private static List<Path> files(String... endings) {
    try (Stream<Path> all = Files.walk(Documents.root())) {
      return all.filter(file -> isSource(file, endings)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path file, String... endings) {
    String relative = Documents.root().relativize(file).toString().replace('\\', '/');
    return !relative.startsWith(".git/")
        && !relative.contains("target/")
        && !file.equals(LIST)
        && Stream.of(endings).anyMatch(relative::endsWith)
        && Files.isRegularFile(file);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
