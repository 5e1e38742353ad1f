package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTimeTest {

  // user, nice, system, idle, waiting, interrupts, more of them, stolen, guests
  private static final String BEFORE = "cpu  1000 0 500 8000 100 0 0 40 77 0\ncpu0 1 2 3\n";
  private static final String AFTER = "cpu  1100 0 550 8040 100 0 0 50 99 0\ncpu0 4 5 6\n";

  @Test
  void load_is_what_others_used_and_steal_what_the_host_gave_away() {
    MachineTime before = MachineTime.of(BEFORE, 300);
    MachineTime after = MachineTime.of(AFTER, 400);

    Conditions conditions = after.since(before, 2);

    // of 200 ticks on two processors, 150 were busy, 100 of them by this process
    assertThat(conditions).isEqualTo(new Conditions(0.5, 5));
    assertThat(conditions.shownLoad()).isEqualTo("0.50");
    assertThat(conditions.shownSteal()).isEqualTo("5.0");
  }

  @Test
  void no_time_tells_nothing() {
    MachineTime now = MachineTime.of(BEFORE, 300);

    assertThat(now.since(now, 2)).isEqualTo(Conditions.UNKNOWN);
  }

  @Test
  void a_process_counts_with_its_children_that_have_ended() {
    String stat = "42 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0 1 0 99 0";

    assertThat(MachineTime.spent(stat)).isEqualTo(127);
  }
}
