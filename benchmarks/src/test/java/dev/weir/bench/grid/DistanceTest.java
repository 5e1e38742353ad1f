package dev.weir.bench.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class DistanceTest {

  @Test
  void a_ping_of_more_than_1_3_round_trips_voids_a_row() {
    assertThat(Distance.ONE_MILLI.whyVoid(1_300_000)).isEmpty();
    assertThat(Distance.ONE_MILLI.whyVoid(1_310_000)).contains("PING 1.31 ms of 1");
    assertThat(Distance.TEN_MILLIS.whyVoid(13_000_000)).isEmpty();
    assertThat(Distance.TEN_MILLIS.whyVoid(13_100_000)).contains("PING 13.10 ms of 10");
  }

  @Test
  void one_of_less_than_a_round_trip_has_not_passed_the_proxy() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Distance.ONE_MILLI.whyVoid(999_000))
        .withMessage("PING 1.00 ms of 1 (expected: at least as long)");
  }

  @Test
  void near_redis_nothing_is_asked() {
    assertThat(Distance.NEAR.whyVoid("redis://127.0.0.1:1")).isEmpty();
  }
}
