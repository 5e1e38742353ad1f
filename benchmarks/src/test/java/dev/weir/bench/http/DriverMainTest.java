package dev.weir.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.http.Driver.Outcome;
import org.junit.jupiter.api.Test;

class DriverMainTest {

  @Test
  void an_order_is_read_as_it_was_written() {
    Driver driver = new Driver(8080, "/exact/", 1_000, 32, 2_000, 429);

    assertThat(DriverMain.driver(DriverMain.text(driver))).isEqualTo(driver);
  }

  @Test
  void so_is_an_answer() {
    Outcome outcome = new Outcome(123_456, 1, 2.0625, 410.5, 1_800.25);

    assertThat(DriverMain.outcome(DriverMain.text(outcome))).isEqualTo(outcome);
  }
}
