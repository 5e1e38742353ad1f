package dev.weir.bench.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.grid.Found.Figures;
import dev.weir.bench.load.Warmth;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FoundTest {

  @Test
  void another_process_reads_what_was_written() {
    Found found =
        new Found(
            new Figures(1_234.5, 1e7, Double.NaN),
            new Figures(0.25, 1 / 3.0, 2),
            64,
            new Warmth(Duration.ofMillis(40_125), true));

    assertThat(Found.of(found.text())).isEqualTo(found);
  }
}
