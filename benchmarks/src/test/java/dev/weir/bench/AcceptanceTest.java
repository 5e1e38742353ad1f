package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.metric.Metrics;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptanceTest {

  /** A must of a metric whose name is misspelt would not be missed: it would not be there. */
  @Test
  void whatever_is_judged_is_measured() {
    List<String> measured =
        Metrics.ALL.stream().flatMap(metric -> metric.names().stream()).toList();

    assertThat(measured).containsAll(Acceptance.metrics());
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
