package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.Row;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompilationTest {

  private static final Duration TURN = Duration.ofSeconds(5);

  private long now;
  private long compiledMillis;
  private int turns;

  /** Returns a warm-up whose turns take 5 s and cost the compiler so many milliseconds. */
  private Warmth finish(Stream<Integer> costs) throws Exception {
    Iterator<Integer> each = costs.iterator();
    return new Compilation(() -> now, () -> compiledMillis)
        .finish(
            TURN,
            () -> {
              turns++;
              now += TURN.toNanos();
              compiledMillis += each.next();
            });
  }

  @Test
  void two_quiet_windows_in_a_row_end_it() throws Exception {
    Warmth warmth = finish(Stream.of(9_000, 10, 400, 10, 10));

    assertThat(turns).isEqualTo(5);
    assertThat(warmth).isEqualTo(new Warmth(Duration.ofSeconds(25), true));
    assertThat(warmth).hasToString("the compiler was done after 25 s");
  }

  /** A hundredth of a large total is a compiler at work. */
  @Test
  void late_in_a_run_the_time_of_the_window_counts() throws Exception {
    compiledMillis = 100_000;

    assertThat(finish(Stream.of(0, 60, 60, 49, 49)).isDone()).isTrue();
    assertThat(turns).isEqualTo(5);
  }

  @Test
  void early_in_a_run_the_total_counts() throws Exception {
    finish(Stream.of(1_000, 40, 40, 9, 9));

    assertThat(turns).isEqualTo(5);
  }

  /** Three seconds of load: one that has not run yet leaves the compiler nothing to do. */
  @Test
  void each_is_under_load_before_the_first_window() throws Exception {
    Duration each = Duration.ofMillis(100);
    compiledMillis = 100_000;
    new Compilation(() -> now, () -> compiledMillis)
        .finish(
            each,
            () -> {
              turns++;
              now += TURN.toNanos();
            });

    assertThat(turns).isEqualTo(30 + 2);
  }

  @Test
  void a_compiler_that_does_not_end_makes_it_give_up_and_the_rows_say_so() throws Exception {
    Warmth warmth = finish(IntStream.range(0, 1_000).mapToObj(turn -> 500));

    assertThat(warmth.isDone()).isFalse();
    assertThat(warmth.took()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    assertThat(warmth.toString()).startsWith("not warm: the compiler was at work for 2");
    Row row = new Row("http-exact", 2, 1, "naive-lua").noted("JDK 25");
    assertThat(warmth.noted(List.of(row)))
        .extracting(Row::note)
        .containsExactly("JDK 25; not warm");
    assertThat(new Warmth(TURN, true).noted(List.of(row))).containsExactly(row);
  }
}
