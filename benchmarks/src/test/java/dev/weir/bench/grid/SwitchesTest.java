package dev.weir.bench.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class SwitchesTest {

  @Test
  void only_the_voluntary_ones_are_read() {
    String status = "Name:\tjava\nvoluntary_ctxt_switches:\t42\nnonvoluntary_ctxt_switches:\t7\n";

    assertThat(Switches.of(status)).isEqualTo(42);
  }

  @Test
  void a_new_thread_counts_from_zero_and_one_that_has_ended_not_at_all() {
    Switches before = new Switches(Map.of("1", 10L, "2", 500L));
    Switches after = new Switches(Map.of("1", 15L, "3", 4L));

    assertThat(after.since(before)).isEqualTo(9);
  }

  @Test
  void a_thread_that_waits_for_another_a_hundred_times_sleeps_about_as_often() throws Exception {
    Optional<Switches> before = Switches.now();
    assumeTrue(before.isPresent(), "no /proc");
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 100; i++) {
        other.submit(() -> {}).get();
      }
      assertThat(Switches.now().orElseThrow().since(before.orElseThrow())).isGreaterThan(20);
    } finally {
      other.shutdown();
    }
  }
}
