package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request costs by what it says of itself. */
class CostTest {

  private static final Cost.Bounds BOUNDS = new Cost.Bounds(2, 100, 10);
  private static final Cost BY_HEADER = new Cost.OfHeader("X-Rows", BOUNDS);
  private static final Cost BY_QUERY = new Cost.OfQuery("size", BOUNDS);
  private static final Cost BY_LENGTH = new Cost.OfRequest(1_000);

  @ParameterizedTest
  @CsvSource({
    "2, 2",
    "3, 3",
    "99, 99",
    "100, 100",
    "101, 100",
    "1, 2",
    "0, 2",
    "000, 2",
    "0042, 42",
    "1000000000, 100",
    "9223372036854775807, 100",
    "9223372036854775808, 100",
    "18446744073709551621, 100",
    "4294967299, 100",
    "00000000000000000000000000000000000000000005, 5"
  })
  void a_number_is_taken_into_the_bounds(String header, long cost) {
    assertThat(BY_HEADER.permits(request().header("X-Rows", header))).isEqualTo(cost);
    assertThat(BY_QUERY.permits(request().query("size", header))).isEqualTo(cost);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "-1", "-9223372036854775808", "+5", " 5", "5 ", "5\t", "5\0", "1e9", "1e1", "5.0",
        "0x5", "5L", "5_0", "5, 5", "5,5", "5;q=1", "٥", "５", "²", "NaN", "null", "much"
      })
  void what_is_no_plain_number_costs_the_most(String header) {
    assertThat(BY_HEADER.permits(request().header("X-Rows", header))).isEqualTo(100);
    assertThat(BY_QUERY.permits(request().query("size", header))).isEqualTo(100);
  }

  @Test
  void what_is_said_twice_costs_the_most_even_if_it_is_the_same() {
    assertThat(BY_HEADER.permits(request().header("X-Rows", "5").header("x-rows", "5")))
        .isEqualTo(100);
    assertThat(BY_HEADER.permits(request().header("X-Rows", "5", "99"))).isEqualTo(100);
    assertThat(BY_QUERY.permits(request().query("size", "5", ""))).isEqualTo(100);
  }

  @Test
  void who_says_nothing_pays_what_is_stated_and_the_most_unless_it_is() {
    assertThat(BY_HEADER.permits(request())).isEqualTo(10);
    assertThat(BY_QUERY.permits(request().query("sizes", "5"))).isEqualTo(10);
    assertThat(new Cost.OfQuery("size", Cost.Bounds.upTo(7)).permits(request())).isEqualTo(7);
  }

  @Test
  void a_preflight_which_cannot_say_anything_costs_the_least() {
    FakeRequest preflight =
        FakeRequest.of("OPTIONS", "/")
            .header("Origin", "https://shop.example")
            .header("Access-Control-Request-Method", "GET");
    assertThat(BY_HEADER.permits(preflight)).isEqualTo(2);
    assertThat(BY_QUERY.permits(preflight.again().query("size", "50"))).isEqualTo(2);
    assertThat(BY_HEADER.permits(FakeRequest.of("OPTIONS", "/"))).isEqualTo(10);
  }

  @Test
  void the_most_is_what_any_request_costs_at_most() {
    assertThat(BY_HEADER.most()).isEqualTo(100);
    assertThat(BY_QUERY.most()).isEqualTo(100);
    assertThat(Cost.of(7).most()).isEqualTo(7);
    assertThat(Cost.of(7).permits(request())).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | 5 | 5 | from: 0 (expected: > 0)
          3 | 2 | 2 | to: 2 (expected: at least 3, which is from)
          2 | 5 | 1 | otherwise: 1 (expected: from 2 to 5)
          2 | 5 | 6 | otherwise: 6 (expected: from 2 to 5)
          """)
  void bounds_are_in_order(long from, long to, long otherwise, String complaint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Cost.Bounds(from, to, otherwise))
        .withMessage(complaint);
  }

  @Test
  void a_name_is_one_that_a_request_can_carry() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Cost.OfHeader("X Rows", BOUNDS))
        .withMessage("header: 'X Rows' (expected: a field name such as X-Rows)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Cost.OfQuery(" ", BOUNDS))
        .withMessage("query: ' ' (expected: the name of a query parameter)");
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5",
    "0, 1",
    "000, 1",
    "0000000000000000000042, 42",
    "1001, 1001",
    "9007199254740991, 9007199254740991",
    "9007199254740993, 9007199254740992",
    "9223372036854775807, 9007199254740992",
    "18446744073709551621, 9007199254740992"
  })
  void a_body_costs_the_length_that_is_stated(String length, long cost) {
    assertThat(BY_LENGTH.permits(request().header("Content-Length", length))).isEqualTo(cost);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "-9223372036854775808", "+5", "5 5", "5, 5", "1e1", "0x5", "5.0", "٥"})
  void a_length_that_is_no_plain_number_is_unknown(String length) {
    assertThat(BY_LENGTH.permits(request().header("Content-Length", length))).isEqualTo(1_000);
  }

  @Test
  void of_several_lengths_the_largest_counts_and_a_chunked_body_costs_no_less_than_it_states() {
    assertThat(BY_LENGTH.permits(request().header("Content-Length", "5", "5"))).isEqualTo(1_000);
    assertThat(BY_LENGTH.permits(request().header("Content-Length", "5", "2000"))).isEqualTo(2_000);
    FakeRequest chunked = request().declaringBody().header("Transfer-Encoding", "chunked");
    assertThat(BY_LENGTH.permits(chunked)).isEqualTo(1_000);
    assertThat(BY_LENGTH.permits(chunked.again().header("Content-Length", "5"))).isEqualTo(1_000);
    assertThat(BY_LENGTH.permits(chunked.again().header("Content-Length", "2000")))
        .isEqualTo(2_000);
  }

  @Test
  void without_a_length_there_is_no_body_where_it_would_need_one() {
    assertThat(BY_LENGTH.permits(request().declaringBody())).isEqualTo(1);
    assertThat(BY_LENGTH.permits(request())).isEqualTo(1_000);
    FakeRequest preflight =
        FakeRequest.of("OPTIONS", "/")
            .header("Origin", "https://shop.example")
            .header("Access-Control-Request-Method", "PUT");
    assertThat(BY_LENGTH.permits(preflight)).as("it may have a body, too").isEqualTo(1_000);
    assertThat(BY_LENGTH.permits(preflight.again().declaringBody())).isEqualTo(1);
    assertThat(BY_LENGTH.permits(preflight.again().header("Content-Length", "50"))).isEqualTo(50);
  }

  @Test
  void an_unknown_length_costs_something() {
    assertThat(BY_LENGTH.most()).isEqualTo(1_000);
    assertThat(BY_LENGTH.isInBytes()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Cost.OfRequest(0))
        .withMessage("unknown: 0 (expected: > 0)");
  }

  private static FakeRequest request() {
    return FakeRequest.get("/");
  }
}
