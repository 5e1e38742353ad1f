package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolChoiceTest {

  /** Has one file in the directory, its URI, while it is open. It has a class loader of its own. */
  public static class Visible implements Contender {

    private final Path file;

    /** Created by its build. */
    public Visible(String uri, int pool, int keys, Numbers numbers) throws IOException {
      file = Files.createFile(Path.of(uri, String.valueOf(pool)));
    }

    @Override
    public boolean admits(int key) {
      return true;
    }

    @Override
    public String toString() {
      return file.getFileName().toString();
    }

    @Override
    public void close() {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Cannot be opened with 32 connections. */
  public static final class Small extends Visible {

    /** Created by its build. */
    public Small(String uri, int pool, int keys, Numbers numbers) throws IOException {
      super(uri, pool, keys, numbers);
      if (pool == 32) {
        super.close();
        throw new IOException("32 connections");
      }
    }
  }

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  private PoolChoice open(Class<? extends Contender> type) throws Exception {
    return PoolChoice.open(type, directory.toString(), 1, Numbers.ROOMY, 32);
  }

  private Stream<String> open() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    }
  }

  @Test
  void the_largest_pool_serves_all_callers_at_once() {
    assertThat(PoolChoice.sizes(1)).containsExactly(8);
    assertThat(PoolChoice.sizes(8)).containsExactly(8);
    assertThat(PoolChoice.sizes(32)).containsExactly(8, 16, 32);
    assertThat(PoolChoice.sizes(33)).containsExactly(8, 16, 32, 64);
    assertThat(PoolChoice.sizes(128)).containsExactly(8, 16, 32, 64, 128);
  }

  @Test
  void none_is_larger_than_128() {
    assertThat(PoolChoice.sizes(256)).containsExactly(8, 16, 32, 64, 128);
  }

  @Test
  void the_fastest_stays_open_until_the_choice_is_closed() throws Exception {
    Map<String, Integer> decisions = Map.of("8", 100, "16", 300, "32", 200);
    try (PoolChoice choice = open(Visible.class)) {
      assertThat(open()).containsExactlyInAnyOrder("8", "16", "32");

      PoolChoice.Chosen best =
          choice.best(one -> new Outcome(decisions.getOrDefault(one.toString(), 0), 0, 0, 1));

      assertThat(best.pool()).isEqualTo(16);
      assertThat(best.contender()).hasToString("16");
      assertThat(open()).containsExactly("16");
    }
    assertThat(open()).isEmpty();
  }

  @Test
  void one_that_cannot_be_opened_leaves_none_open() throws Exception {
    assertThatThrownBy(() -> open(Small.class)).hasMessageContaining("32 connections");

    assertThat(open()).isEmpty();
  }
}
