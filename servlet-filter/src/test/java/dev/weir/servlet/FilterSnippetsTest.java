package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Snippets;
import dev.weir.fixture.Snippets.Snippet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java in the Javadoc is what a user types: it compiles. */
class FilterSnippetsTest {

  private static final String IMPORTS =
      """
      import dev.weir.config.*;
      import dev.weir.servlet.*;
      import jakarta.servlet.*;
      import jakarta.servlet.annotation.*;
      import java.nio.file.Path;
      import java.util.EnumSet;
      """;

  @TempDir private Path compiled = Path.of("");

  @ParameterizedTest
  @MethodSource("snippets")
  void a_snippet_compiles(Snippet snippet) {
    snippet.assertCompiles(IMPORTS, "ServletContext context;\n", compiled);
  }

  static List<Snippet> snippets() {
    return Snippets.of("servlet-filter/src/main/java/dev/weir");
  }

  @Test
  void what_a_user_meets_first_has_an_example() {
    assertThat(snippets()).extracting(Snippet::file).contains("RateLimitFilter.java");
  }
}
