package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.limit.FixedWindow.FirstRequestWindow;
import dev.weir.limit.FixedWindow.Window;
import dev.weir.limit.Limit.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates, windows and their ranges. */
class RateTest {

  @ParameterizedTest
  @CsvSource({
    "0, PT1S, permits: 0 (expected: > 0)",
    "-1, PT1S, permits: -1 (expected: > 0)",
    "-9223372036854775808, PT1S, permits: -9223372036854775808 (expected: > 0)",
    "1, PT0S, period: PT0S (expected: > 0)",
    "1, PT-1S, period: PT-1S (expected: > 0)",
    "1, PT0.000000001S, period: PT0.000000001S (expected: a whole number of microseconds)",
    "1, PT1.0000005S, period: PT1.0000005S (expected: a whole number of microseconds)",
    "1, P366DT0.000001S, period: PT8784H0.000001S (expected: at most 366 days)",
    "1, PT2562047788015215H, period: PT2562047788015215H (expected: at most 366 days)",
    "11, PT0.000001S, rate: 11 per microsecond (expected: at most 10 million permits per second)",
    "9223372036854775807, P366D,"
        + " rate: 9223372036854775807 per 366 days"
        + " (expected: at most 10 million permits per second)",
  })
  void a_rate_out_of_range_is_told_by_field_and_expectation(
      long permits, Duration period, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rate(permits, period))
        .withMessage(message);
  }

  @Test
  void rates_at_the_ends_of_the_range_are_rates() {
    assertThat(new Rate(1, Duration.ofDays(366))).hasToString("1 per 366 days");
    assertThat(new Rate(10, Duration.ofNanos(1_000))).hasToString("10 per microsecond");
    assertThat(new Rate(10_000_000, Duration.ofSeconds(1))).hasToString("10000000 per second");
    assertThat(new Rate(316_224_000_000_000L, Duration.ofDays(366)))
        .hasToString("316224000000000 per 366 days");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, window: PT0S (expected: > 0)",
    "PT-1S, window: PT-1S (expected: > 0)",
    "PT0.0000001S, window: PT0.0000001S (expected: a whole number of microseconds)",
    "P367D, window: PT8808H (expected: at most 366 days)",
  })
  void a_window_out_of_range_is_told_by_field_and_expectation(Duration length, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FirstRequestWindow(length))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "0, quota: 0 (expected: > 0)",
    "-1, quota: -1 (expected: > 0)",
    "9007199254740992, quota: 9007199254740992 (expected: below 2^53)",
    "9223372036854775807, quota: 9223372036854775807 (expected: below 2^53)",
  })
  void a_quota_out_of_range_is_told_by_field_and_expectation(long quota, String message) {
    Window window = new FirstRequestWindow(Duration.ofDays(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedWindow(quota, window))
        .withMessage(message);
  }

  @Test
  void a_window_is_as_good_as_new_after_its_length() {
    assertThat(Limit.parse("5 per 13s window").timeToFull()).isEqualTo(Duration.ofSeconds(13));
    assertThat(Limit.parse("5 per 13s window").capacity()).isEqualTo(5);
    assertThat(Limit.parse("5 per hour window UTC").timeToFull()).isEqualTo(Duration.ofHours(1));
    assertThat(Limit.parse("5 per day window UTC").timeToFull())
        .isBetween(Duration.ofHours(25), Duration.ofHours(49));
  }
}
