package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java in the Javadoc and in the guide is what a user types: it compiles. */
class SnippetsTest {

  private static final String SOURCES = "filter-core/src/main/java/dev/weir";

  private static final Pattern SNIPPET =
      Pattern.compile("<pre>\\{@code\\n(.*?)\\n *\\* *}</pre>", Pattern.DOTALL);

  /** What a user keeps, and so has to close or not, and to share between threads or not. */
  private static final Set<String> KEPT =
      Set.of(
          "TokenLimiter",
          "PeriodLimiter",
          "LeakyLimiter",
          "MultiLimiter",
          "ConcurrencyLimiter",
          "ConcurrencyPermits",
          "Reservation",
          "TaskShaper",
          "Stores",
          "FailoverLimitStore",
          "LocalLimitStore",
          "DenyCache",
          "TokenLeaseStore",
          "RedisLimitStore");

  private static final String BEFORE =
      """
      import dev.weir.*;
      import dev.weir.limit.*;
      import dev.weir.local.*;
      import dev.weir.near.*;
      import dev.weir.redis.*;
      import dev.weir.store.*;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.List;
      import java.util.concurrent.CompletableFuture;

      class Snippet {
        LimitStore store;
        TokenLimiter limiter;

        void run() throws Exception {
      """;

  @TempDir private Path compiled = Path.of("");

  @ParameterizedTest
  @MethodSource("snippets")
  void a_snippet_compiles(Snippet snippet) {
    StringWriter problems = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            compiled.toString());
    boolean compiles =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK (this is a JRE)")
            .getTask(problems, null, null, options, null, List.of(snippet.source()))
            .call();
    assertThat(compiles).as(problems.toString()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("kept")
  void what_is_kept_says_first_how_it_is_closed_and_shared(String type) throws IOException {
    Path file =
        files().stream().filter(one -> one.endsWith(type + ".java")).findAny().orElseThrow();
    String text = Files.readString(file);
    String javadoc = text.substring(text.indexOf("\n/**\n"));
    assertThat(javadoc.substring(0, javadoc.indexOf("\n *\n")))
        .containsPattern("[Tt]hread-safe")
        .containsPattern("[Cc]lose|[Ss]top");
    assertThat(javadoc.substring(0, javadoc.indexOf("\n */"))).contains("<pre>{@code");
  }

  static Stream<String> kept() {
    return KEPT.stream().sorted();
  }

  static List<Snippet> snippets() throws IOException {
    return Stream.concat(files().stream().flatMap(SnippetsTest::snippets), ofGuide()).toList();
  }

  /** The blocks on the core. One of them needs the rules for requests too. */
  private static Stream<Snippet> ofGuide() {
    return Documents.fenced("docs/guide.md").stream()
        .filter(block -> block.language().equals("java"))
        .map(Documents.Block::text)
        .filter(statements -> statements.contains("Limiter") && !statements.contains("Weir "))
        .filter(statements -> !statements.contains("class "))
        .map(statements -> new Snippet("guide.md", statements));
  }

  private static Stream<Snippet> snippets(Path file) {
    String name = String.valueOf(file.getFileName());
    return SNIPPET
        .matcher(Documents.text(Documents.root().relativize(file).toString()))
        .results()
        .map(found -> found.group(1).replaceAll("(?m)^ *\\* ?", ""))
        .map(statements -> new Snippet(name, statements));
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(Documents.root().resolve(SOURCES))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.toString().contains("internal"))
          .sorted()
          .toList();
    }
  }

  /** Statements in the Javadoc of a file. */
  record Snippet(String file, String statements) {

    JavaFileObject source() {
      String text = BEFORE + statements + "\n}}";
      return new SimpleJavaFileObject(
          URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
          return text;
        }
      };
    }

    @Override
    public String toString() {
      return file + ": " + statements.lines().findFirst().orElseThrow();
    }
  }
}
