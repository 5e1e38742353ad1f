package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which numbers are accepted as the limit of requests at once, and as reserved shares. */
class OverloadTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0  | 0 | 9      | from: 0 (expected: > 0)",
        "4  | 5 | 9      | start: 4 (expected: from 5 to 9)",
        "10 | 5 | 9      | start: 10 (expected: from 5 to 9)",
        "5  | 5 | 4      | to: 4 (expected: at least 5, which is from)",
        "5  | 5 | 100001 | to: 100001 (expected: at most 100000)",
      })
  void numbers_are_in_their_order(int start, int from, int to, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(start, from, to, Map.of()))
        .withMessage(message);
  }

  @Test
  void a_share_is_a_percentage_that_leaves_something_for_others() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(20, 20, 20, Map.of("a", 100)))
        .withMessage("reserved: 100% for 'a' (expected: from 1% to 99%)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(20, 20, 20, Map.of("a", 50, "b", 50)))
        .withMessageContaining("reserved: 20 of 20 requests (expected: fewer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(20, 1, 20, Map.of("a", 10)))
        .withMessageContaining("reserved: 1 of 1 requests");
  }

  @ParameterizedTest
  @CsvSource({"20, 4, 1", "20, 5, 1", "20, 9, 1", "20, 10, 2", "33, 100, 33", "1, 500, 5"})
  void a_share_is_rounded_down_but_to_one_at_least(int percent, int number, int share) {
    Overload overload = of(4, 4, 500, Map.of("checkout", percent));
    assertThat(overload.reserved("checkout", number)).isEqualTo(share);
    assertThat(overload.reserved("other", number)).isZero();
  }

  private static Overload of(int start, int from, int to, Map<String, Integer> reserved) {
    return new Overload(start, from, to, RequestMatcher.of("/**"), reserved);
  }
}
