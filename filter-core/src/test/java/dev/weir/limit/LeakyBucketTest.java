package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Limit.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of a leaky bucket. */
class LeakyBucketTest {

  @Test
  void it_holds_the_permits_of_a_period_unless_told_otherwise() {
    LeakyBucket limit = LeakyBucket.of(new Rate(2, Duration.ofSeconds(1)));
    assertThat(limit.capacity()).isEqualTo(2);
    assertThat(limit.timeToFull()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void nobody_waits_longer_than_it_takes_to_flow_out() {
    LeakyBucket limit = new LeakyBucket(new Rate(3, Duration.ofSeconds(1)), 20);
    assertThat(limit.timeToFull()).isEqualTo(Duration.ofNanos(6_666_667_000L));
  }

  @Test
  void it_is_no_token_bucket_of_the_same_numbers() {
    Rate rate = new Rate(2, Duration.ofSeconds(1));
    assertThat(LeakyBucket.of(rate))
        .isEqualTo(LeakyBucket.of(rate))
        .hasSameHashCodeAs(LeakyBucket.of(rate))
        .isNotEqualTo(TokenBucket.of(rate))
        .isNotEqualTo(new LeakyBucket(rate, 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 per second leaky | 2 per second leaky",
        "2/s leaky | 2 per second leaky",
        "2 per second leaky, capacity 20 | 2 per second leaky, capacity 20",
        "2 per second LEAKY , capacity 2 | 2 per second leaky",
        "1_000 per 10s leaky, capacity 1_0 | 1000 per 10 seconds leaky, capacity 10",
      })
  void it_is_read_in_one_line_and_prints_what_is_read(String written, String printed) {
    Limit limit = Limit.parse(written);
    assertThat(limit).isInstanceOf(LeakyBucket.class).hasToString(printed);
    assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 per second leaky, capacity 0 | capacity: 0 (expected: > 0)",
        "2 per second leaky, capacity | a whole number after 'capacity'",
        "2 per second leaky, burst 3 | 'capacity' after the comma",
        "2 per second leeky | did you mean 'leaky'?",
        "1 per us leaky, capacity 9007199254740991 | below 2^53",
      })
  void what_is_none_is_told(String written, String message) {
    assertThatThrownBy(() -> Limit.parse(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
