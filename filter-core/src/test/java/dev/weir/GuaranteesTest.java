package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every test that the pages of guarantees name is there. */
class GuaranteesTest {

  private static final Pattern NAMED =
      Pattern.compile("`([A-Z]\\w+(?:Test|IT|Contract|Scenarios))(?:\\.(\\w+))?`");
  private static final Map<String, Path> TESTS = tests();

  @ParameterizedTest
  @MethodSource("named")
  void a_promise_has_its_test(String type, String method) throws IOException {
    assertThat(TESTS).containsKey(type);
    assertThat(Files.readString(TESTS.get(type))).contains(method);
  }

  static Stream<String[]> named() {
    return Stream.of("docs/guarantees.md", "docs/internals/guarantees.md")
        .flatMap(page -> NAMED.matcher(Documents.text(page)).results())
        .map(GuaranteesTest::typeAndMethod);
  }

  private static String[] typeAndMethod(MatchResult match) {
    String method = match.group(2);
    return new String[] {match.group(1), method == null ? "class " : " " + method + "("};
  }

  private static Map<String, Path> tests() {
    try (Stream<Path> files = Files.walk(Documents.root())) {
      return files
          .filter(file -> file.toString().contains("src/test/java"))
          .filter(file -> file.toString().endsWith(".java"))
          .collect(
              Collectors.toMap(GuaranteesTest::typeOf, Function.identity(), (one, same) -> one));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String typeOf(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
