package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.metric.Metrics;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptanceTest {

  /** A must for a misspelt metric would not count as missed, because it would not be there. */
  @Test
  void whatever_is_judged_is_measured() {
    List<String> measured =
        Metrics.ALL.stream().flatMap(metric -> metric.names().stream()).toList();

    assertThat(measured).containsAll(Acceptance.metrics());
  }

  @Test
  void a_sentence_says_how_many_are_met_and_which_are_missed() {
    Row met = new Row("exact-1000keys-32t", 2, 1, "naive-lua");
    Row missed = new Row("local-time", 2, 1, "bucket4j-local");
    Row free = new Row("local-bytes", 2, 1, "resilience4j-local");

    assertThat(Acceptance.headline(List.of(met, free))).isEqualTo("**1 of 1 musts are met.**");
    assertThat(Acceptance.headline(List.of(met, missed, free)))
        .isEqualTo("**1 of 2 musts are met.** Missed: `local-time` beside bucket4j-local.");
    Row unmeasured = Row.voided("grid-near-256v", "naive-lua", "no JDK 21 or newer");
    assertThat(Acceptance.headline(List.of(met, unmeasured)))
        .isEqualTo("**1 of 2 musts are met.** Void: `grid-near-256v` beside naive-lua.");
  }

  @Test
  void the_bounds_of_costs_are_in_microseconds() {
    assertThat(Acceptance.isMissed(new Row("cost-concurrency-1000-denial", 50, 9, "naive-lua")))
        .isFalse();
    assertThat(Acceptance.isMissed(new Row("cost-concurrency-1000-denial", 51, 9, "naive-lua")))
        .isTrue();
    assertThat(Acceptance.isMissed(new Row("cost-sliding-60-batch64", 1_001, 9, "naive-lua")))
        .isTrue();
  }

  /** Peers are only known from their rows. */
  @Test
  void a_bound_without_a_row_is_told() {
    Row row = new Row("exact-1000keys-32t", 2, 1, "naive-lua");

    assertThat(Acceptance.unmeasured(List.of(row)))
        .contains("exact-1000keys-32t beside redisson", "rules-1000 beside rules-10")
        .doesNotContain("exact-1000keys-32t beside naive-lua");
  }
}
