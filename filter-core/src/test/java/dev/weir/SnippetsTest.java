package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.SnippetContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SnippetsTest extends SnippetContract {

  private static final String SOURCES = "filter-core/src/main/java/dev/weir";

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

  private static final String IMPORTS =
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
      """;

  SnippetsTest() {
    super(
        SOURCES,
        IMPORTS,
        "LimitStore store;\nTokenLimiter limiter;\n",
        "TokenLimiter",
        "RedisLimitStore");
  }

  @ParameterizedTest
  @MethodSource("kept")
  void what_is_kept_says_first_how_it_is_closed_and_shared(String type) throws IOException {
    Path file =
        files(SOURCES).stream().filter(one -> one.endsWith(type + ".java")).findAny().orElseThrow();
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
}
