package dev.weir.bench.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

class GridTest {

  private static final List<String> NAMES =
      Grid.all().stream().map(Metric::names).flatMap(List::stream).toList();

  @Test
  void each_distance_is_measured_with_all_callers() {
    assertThat(NAMES)
        .doesNotHaveDuplicates()
        .contains("grid-near-1t", "grid-near-8t", "grid-near-32t", "grid-near-256v")
        .contains("grid-1ms-1t", "grid-1ms-8t", "grid-1ms-32t", "grid-1ms-256v")
        .contains("grid-10ms-1t", "grid-10ms-8t", "grid-10ms-32t", "grid-10ms-256v")
        .filteredOn(name -> name.matches("grid-.*-p99"))
        .hasSize(12);
  }

  @Test
  void the_switches_of_32_threads_near_redis_stand_for_all() {
    assertThat(new Grid(Distance.NEAR, Threads.PLATFORM, 32).names())
        .containsExactly("grid-near-32t", "grid-near-32t-p99", "client-switches");
    assertThat(NAMES).contains("client-switches-10ms-256v");
  }
}
