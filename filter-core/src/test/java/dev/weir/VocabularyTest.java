package dev.weir;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One thing has one name: no former name of {@code former-names.txt} comes back. */
class VocabularyTest {

  private static final String LIST = "filter-core/src/test/resources/dev/weir/former-names.txt";

  private static final Pattern SOURCE = Pattern.compile(".*\\.(java|lua|md|ya?ml|xml|txt)");
  private static final Pattern NOT_OURS = Pattern.compile("\\.git/.*|(.*/)?target/.*");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");
  private static final Pattern CODE_SPAN = Pattern.compile("`([^`\n]+)`");

  /** A comment, a text, or a name in Java, which alone is in the group. */
  private static final Pattern JAVA_NAME =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|([A-Za-z_]\\w*)");

  /** A comment, a text, or a name in Lua. */
  private static final Pattern LUA_NAME =
      Pattern.compile("--[^\\n]*|\"[^\"\\n]*\"|'[^'\\n]*'|([A-Za-z_]\\w*)");

  /** A word of an identifier in camel case, or in upper case. */
  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

  /** A sentence as the name of a test. */
  private static final Pattern SENTENCE = Pattern.compile("[a-z0-9]+(_[a-zA-Z0-9]+)+");

  /** In Redis, {@code ASK} and {@code ASKING} are the protocol's own words. */
  private static final Pattern OF_REDIS = Pattern.compile("ASKING|isAsking|callAsking|Jedis\\w+");

  /** These give the new name of a former one. */
  private static final Pattern HINTS =
      Pattern.compile(
          ".*(former-names\\.txt|RedisReader\\.java|BadTopLevelTest\\.java|CHANGELOG\\.md)");

  private static final Map<String, String> SOURCES = sources();

  private static final Set<String> PARTS = former("parts of names").keySet();

  @Test
  void no_file_contains_a_former_word() {
    assertThat(found(".*", Pattern.compile("([\\w-]+)"), former("words")::containsKey)).isEmpty();
  }

  @Test
  void no_identifier_has_a_word_of_the_former_language() {
    Predicate<String> isSentence = SENTENCE.asMatchPredicate();
    assertThat(found(".*\\.java", JAVA_NAME, isSentence.negate().and(VocabularyTest::isFormer)))
        .isEmpty();
    assertThat(found(".*\\.lua", LUA_NAME, VocabularyTest::isFormer)).isEmpty();
  }

  private static boolean isFormer(String name) {
    return !OF_REDIS.matcher(name).matches()
        && WORD.matcher(name)
            .results()
            .anyMatch(word -> PARTS.contains(word.group().toLowerCase(ROOT)));
  }

  @Test
  void no_type_is_declared_by_a_former_name() {
    assertThat(found(".*\\.java", DECLARED, former("types")::containsKey)).isEmpty();
  }

  @Test
  void no_document_names_a_former_type() {
    Set<String> types = former("types").keySet();
    assertThat(
            found(
                ".*\\.md",
                CODE_SPAN,
                span -> Stream.of(span.split("[^\\w-]+", -1)).anyMatch(types::contains)))
        .isEmpty();
  }

  @Test
  void no_name_is_both_former_and_present() {
    for (String section : List.of("types", "words", "parts of names")) {
      Map<String, String> former = former(section);
      assertThat(former.keySet()).isNotEmpty().doesNotContainAnyElementsOf(former.values());
    }
  }

  /** What a pattern finds in files of such a name, where it is a former name. */
  private static List<String> found(String files, Pattern pattern, Predicate<String> isFormer) {
    return SOURCES.entrySet().stream()
        .filter(file -> file.getKey().matches(files))
        .filter(file -> !HINTS.matcher(file.getKey()).matches())
        .flatMap(
            file ->
                pattern
                    .matcher(file.getValue())
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .filter(Objects::nonNull)
                    .filter(isFormer)
                    .map(name -> file.getKey() + ": " + name))
        .toList();
  }

  /** The former names of one section of the list, and the present ones. */
  private static Map<String, String> former(String section) {
    return Documents.text(LIST)
        .lines()
        .dropWhile(line -> !line.startsWith("# " + section))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> !line.isBlank())
        .map(line -> line.split("\\s+"))
        .collect(Collectors.toMap(names -> names[0], names -> names[1]));
  }

  /** The text of each file, by its path in the checkout. */
  private static Map<String, String> sources() {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Documents.root())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String path = Documents.root().relativize(file).toString().replace('\\', '/');
        if (SOURCE.matcher(path).matches() && !NOT_OURS.matcher(path).matches()) {
          texts.put(path, Documents.text(path));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
