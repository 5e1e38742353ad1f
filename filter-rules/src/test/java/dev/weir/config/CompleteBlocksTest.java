package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.read.KeyFileReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.fixture.Documents;
import dev.weir.fixture.Documents.Block;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a page shows as complete can be copied: files load, and code is that of the examples. */
class CompleteBlocksTest {

  private static final String SCHEMA = "# yaml-language-server: $schema=weir.schema.json\n";

  /** Of which the examples have all. Shells and what they print are run by other tests. */
  private static final Set<String> OF_EXAMPLES = Set.of("java", "xml", "html", "nginx");

  /** Which files of the examples have a language of another name. */
  private static final Map<String, String> ENDINGS = Map.of("nginx", "conf");

  static Stream<Block> files() {
    return complete().filter(block -> block.language().equals("yaml"));
  }

  static Stream<Block> code() {
    return complete().filter(block -> OF_EXAMPLES.contains(block.language()));
  }

  private static Stream<Block> complete() {
    return Documents.userPages().stream()
        .flatMap(page -> Documents.fenced(page).stream())
        .filter(Block::isComplete);
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_file_loads_without_a_warning(Block file) {
    assertThat(file.text()).startsWith(SCHEMA);
    ConfigDocument document = ConfigDocument.File.of("weir.yaml", file.text());
    ClassLoader application = CompleteBlocksTest.class.getClassLoader();
    Settings settings =
        SettingsReader.read(
            document, FakeVariables.EMPTY, application, War::open, new KeyFileReader());
    assertThat(settings.advice()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("code")
  void code_is_that_of_an_example(Block block) throws IOException {
    String text = unindented(block.text());
    boolean isWhole = block.language().equals("java");
    assertThat(examples(block.language()))
        .as(block.text())
        .anyMatch(file -> isWhole ? file.equals(text) : file.contains("\n" + text));
  }

  /** The files of the examples in this language, without indentation. */
  private static List<String> examples(String language) throws IOException {
    try (Stream<Path> files = Files.walk(Documents.root().resolve("examples"))) {
      return files
          .filter(file -> file.toString().endsWith("." + ENDINGS.getOrDefault(language, language)))
          .filter(file -> !file.toString().contains("target"))
          .map(CompleteBlocksTest::read)
          .map(text -> language.equals("java") ? text : "\n" + text)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return unindented(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String unindented(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
  }

  /** The application that the pages speak of. */
  private static final class War {

    static @Nullable InputStream open(String path) {
      Path file = Documents.root().resolve("examples/web-xml-tomcat/src/main/webapp" + path);
      try {
        return Files.exists(file) ? Files.newInputStream(file) : null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
