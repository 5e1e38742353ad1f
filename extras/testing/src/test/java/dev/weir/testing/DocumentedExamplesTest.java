package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each example that a user reads is in a test, so it compiles and passes. */
class DocumentedExamplesTest {

  private static final String MODULE = "extras/testing/src/";
  private static final String PACKAGE = "java/dev/weir/testing/";
  private static final Pattern EXAMPLE = Pattern.compile("(?s)<pre>\\{@code\\n(.*?)\\}</pre>");

  @Test
  void each_example_of_the_javadoc_is_in_a_test() throws IOException {
    List<String> examples = examples();
    assertThat(examples).hasSize(4);
    String tests = dense(test("JavadocExamplesTest"));
    assertThat(examples).allSatisfy(example -> assertThat(tests).contains(dense(example)));
  }

  @Test
  void the_pages_example_is_a_test() {
    String shown =
        Documents.blocks("docs/java-api.md").stream()
            .filter(block -> block.contains("TestStore"))
            .findFirst()
            .orElseThrow();
    String type = shown.substring(shown.indexOf("class MailLimitTest"));
    assertThat(test("MailLimitTest")).endsWith(type);
  }

  private static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.list(Documents.root().resolve(MODULE + "main/" + PACKAGE))) {
      return files
          .map(file -> Documents.text(Documents.root().relativize(file).toString()))
          .flatMap(text -> EXAMPLE.matcher(text).results())
          .map(match -> match.group(1).replaceAll("(?m)^ \\*", ""))
          .toList();
    }
  }

  private static String test(String type) {
    return Documents.text(MODULE + "test/" + PACKAGE + type + ".java");
  }

  private static String dense(String code) {
    return code.replaceAll("\\s", "");
  }
}
