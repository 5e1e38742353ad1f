package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {

  @Test
  void one_disturbed_measurement_does_not_move_it() {
    assertThat(Median.of(List.of(3.0, 1_000.0, 1.0), Double::doubleValue)).isEqualTo(3);
  }

  @Test
  void of_an_even_number_it_is_the_mean_of_the_two_in_the_middle() {
    assertThat(Median.of(List.of(4.0, 1.0, 2.0, 9.0), Double::doubleValue)).isEqualTo(3);
  }

  @Test
  void of_nothing_there_is_none() {
    assertThatThrownBy(() -> Median.of(List.<Double>of(), Double::doubleValue))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("measurements: [] (expected: at least one)");
  }
}
