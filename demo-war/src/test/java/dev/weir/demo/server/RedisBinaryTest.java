package dev.weir.demo.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.demo.server.RedisBinary.Candidate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which redis-server the demo starts. */
class RedisBinaryTest {

  private static final Candidate ABSENT = new Candidate("absent", () -> "/no/such/redis-server");
  private static final Candidate BROKEN = new Candidate("broken", () -> "false");
  private static final Candidate UNKNOWN =
      new Candidate(
          "unknown",
          () -> {
            throw new IOException("no binary for this architecture");
          });

  @Test
  void the_embedded_one_comes_first(@TempDir Path directory) throws Exception {
    RedisBinary found = RedisBinary.find(directory);
    assertThat(found.origin()).isEqualTo("embedded");
    assertThat(found.version()).startsWith("6.2.");
  }

  @Test
  void what_does_not_run_is_passed_over(@TempDir Path directory) throws Exception {
    RedisBinary embedded = RedisBinary.find(directory);
    Candidate last = new Candidate("last", embedded::command);
    RedisBinary found = RedisBinary.firstThatRuns(List.of(UNKNOWN, ABSENT, BROKEN, last));
    assertThat(found.origin()).isEqualTo("last");
  }

  @Test
  void when_none_runs_the_reasons_and_the_cure_are_told() {
    assertThatThrownBy(() -> RedisBinary.firstThatRuns(List.of(UNKNOWN, BROKEN)))
        .isInstanceOf(RedisMissingException.class)
        .hasMessageContaining("no binary for this architecture")
        .hasMessageContaining("broken: does not run")
        .hasMessageContaining("libssl 3")
        .hasMessageContaining("--redis URI");
  }
}
