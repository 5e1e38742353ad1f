package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void a_row_says_what_it_is_judged_by_and_how_it_did() {
    String table =
        Table.of(
            List.of(
                new Row("exact-1000keys-32t", 160, 100, "naive-lua"),
                new Row("exact-1000keys-32t", 320, 100, "bucket4j-redis"),
                new Row("rules-1000", 16, 10, "rules-10"),
                new Row("rules-1", 16, 10, "rules-10").under(new Conditions(0.25, 0)),
                Row.voided("grid-1ms-1t", "naive-lua", "PING 1.40 ms of 1")));

    assertThat(table)
        .isEqualTo(
            """
            | metric             | ours | peer | peer_name      | ratio | must   | goal  | load | steal |                         |
            |--------------------|------|------|----------------|-------|--------|-------|------|-------|-------------------------|
            | exact-1000keys-32t | 160  | 100  | naive-lua      | 1.6   | ≥ 1.3  | ≥ 1.6 |      |       | goal                    |
            | exact-1000keys-32t | 320  | 100  | bucket4j-redis | 3.2   | ≥ 2.5  | ≥ 4   |      |       | must                    |
            | rules-1000         | 16   | 10   | rules-10       | 1.6   | ≤ 1.5  | ≤ 1.1 |      |       | **missed**              |
            | rules-1            | 16   | 10   | rules-10       | 1.6   |        |       | 0.25 | 0.0   |                         |
            | grid-1ms-1t        | void |      | naive-lua      |       | ≥ 0.95 | ≥ 1   |      |       | void: PING 1.40 ms of 1 |
            """);
  }

  @Test
  void what_is_judged_by_its_own_figure_needs_no_good_ratio() {
    assertThat(Acceptance.isMissed(new Row("inprocess-ns", 250, 10, "bucket4j-local"))).isFalse();
    assertThat(Acceptance.isMissed(new Row("inprocess-ns", 251, 1_000, "bucket4j-local"))).isTrue();
  }
}
