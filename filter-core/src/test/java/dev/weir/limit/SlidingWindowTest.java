package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of a sliding window. */
class SlidingWindowTest {

  @Test
  void it_has_ten_sub_windows_unless_told_otherwise() {
    SlidingWindow limit = SlidingWindow.of(30, Duration.ofSeconds(10));
    assertThat(limit.subWindows()).isEqualTo(10);
    assertThat(limit.subWindow()).isEqualTo(Duration.ofSeconds(1));
    assertThat(limit.capacity()).isEqualTo(30);
    assertThat(limit.timeToFull()).isEqualTo(Duration.ofSeconds(11));
  }

  @Test
  void its_sub_windows_are_never_shorter_together_than_it_is() {
    SlidingWindow limit = new SlidingWindow(30, Duration.ofSeconds(1), 7);
    assertThat(limit.subWindow()).isEqualTo(Duration.ofNanos(142_858_000));
    assertThat(limit.subWindow().multipliedBy(7)).isGreaterThanOrEqualTo(limit.length());
  }

  @Test
  void a_few_microseconds_have_as_many_sub_windows() {
    assertThat(SlidingWindow.of(7, Duration.ofNanos(3_000)).subWindows()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 per 10s sliding | 30 per 10 seconds sliding",
        "30/minute sliding | 30 per minute sliding",
        "30 per 10s sliding, sub-windows 10 | 30 per 10 seconds sliding",
        "1_000 per day SLIDING , sub-windows 24 | 1000 per day sliding, sub-windows 24",
        "7 per 3us sliding | 7 per 3 microseconds sliding",
        "7 per 3us sliding, sub-windows 2 | 7 per 3 microseconds sliding, sub-windows 2",
      })
  void it_is_read_in_one_line_and_prints_what_is_read(String written, String printed) {
    Limit limit = Limit.parse(written);
    assertThat(limit).isInstanceOf(SlidingWindow.class).hasToString(printed);
    assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 per 10s sliding | quota: 0 (expected: > 0)",
        "9007199254740992 per 10s sliding | quota: 9007199254740992 (expected: below 2^53)",
        "5 per 0s sliding | period: 0 s (expected: > 0)",
        "5 per 367 days sliding | expected: at most 366 days",
        "5 per month sliding | a month only in a calendar",
        "5 per 10s sliding, sub-windows 0 | sub-windows: 0 (expected: 1 to 60)",
        "5 per 10s sliding, sub-windows 61 | sub-windows: 61 (expected: 1 to 60)",
        "5 per 10s sliding, sub-windows 99999999999 | (expected: 1 to 60)",
        "5 per 3us sliding, sub-windows 4 | sub-windows: 4 (expected: 1 to 3)",
        "5 per 10s sliding, sub-windows -1 | sub-windows: -1 (expected: 1 to 60)",
        "5 per 10s sliding, sub-windows | a whole number after 'sub-windows'",
        "5 per 10s sliding, burst 4 | 'sub-windows' after the comma",
        "5 per 10s sliding UTC | nothing after the limit, but found 'UTC'",
        "5 per 10s slidding | did you mean 'sliding'?",
      })
  void bad_numbers_are_refused_by_name(String written, String message) {
    assertThatThrownBy(() -> Limit.parse(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
