package dev.weir.jaxrs;

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
class FeatureSnippetsTest {

  private static final String IMPORTS =
      """
      import dev.weir.jaxrs.*;
      import jakarta.ws.rs.*;
      import jakarta.ws.rs.core.*;
      import java.util.Set;
      """;

  @TempDir private Path compiled = Path.of("");

  @ParameterizedTest
  @MethodSource("snippets")
  void a_snippet_compiles(Snippet snippet) {
    snippet.assertCompiles(IMPORTS, "", compiled);
  }

  static List<Snippet> snippets() {
    return Snippets.of("jaxrs-provider/src/main/java/dev/weir");
  }

  @Test
  void what_a_user_meets_first_has_an_example() {
    assertThat(snippets())
        .extracting(Snippet::file)
        .contains("RateLimitFeature.java", "RateLimited.java");
  }
}
