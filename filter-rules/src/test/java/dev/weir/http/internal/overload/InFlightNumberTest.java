package dev.weir.http.internal.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The number follows what requests take. */
class InFlightNumberTest {

  private static final Duration FAST = Duration.ofMillis(50);
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final int REQUESTS = 12;

  private final InFlightNumber number = InFlightNumber.of(of(20, 5, 100));
  private long nanos = 1;

  @Test
  void it_begins_where_it_is_told() {
    assertThat(number.now()).isEqualTo(20);
  }

  @Test
  void it_rises_while_requests_take_as_long_as_before() {
    seconds(5, FAST);
    assertThat(number.now()).isGreaterThan(20);
    seconds(60, FAST);
    assertThat(number.now()).isEqualTo(100);
  }

  @Test
  void it_falls_when_they_take_twice_as_long() {
    seconds(60, FAST);
    seconds(10, SLOW);
    int after10 = number.now();
    assertThat(after10).isLessThan(100);
    seconds(30, SLOW);
    assertThat(number.now()).isLessThan(after10);
  }

  @Test
  void it_rises_again_when_they_are_fast_again() {
    seconds(60, FAST);
    seconds(30, SLOW);
    int slow = number.now();
    seconds(5, FAST);
    assertThat(number.now()).isGreaterThan(slow);
  }

  @Test
  void it_never_leaves_its_bounds() {
    InFlightNumber narrow = InFlightNumber.of(of(50, 40, 60));
    for (int i = 0; i < 30; i++) {
      second(narrow, FAST, narrow.now());
    }
    assertThat(narrow.now()).isEqualTo(60);
    for (int i = 0; i < 40; i++) {
      second(narrow, FAST.multipliedBy(10), narrow.now());
    }
    assertThat(narrow.now()).isEqualTo(40);
  }

  @Test
  void it_does_not_rise_for_want_of_requests() {
    for (int i = 0; i < 60; i++) {
      second(number, FAST, 3);
    }
    assertThat(number.now()).isEqualTo(20);
  }

  @Test
  void other_bounds_take_it_over() {
    seconds(60, FAST);
    assertThat(number.within(of(7, 5, 100))).as("where it begins does not matter").isSameAs(number);
    assertThat(number.within(of(20, 5, 200)).now()).isEqualTo(100);
    assertThat(number.within(of(20, 5, 50)).now()).isEqualTo(50);
    assertThat(number.within(of(150, 150, 200)).now()).isEqualTo(150);
  }

  private static Overload of(int start, int from, int to) {
    return new Overload(start, from, to, RequestMatcher.of("/**"), Map.of());
  }

  private void seconds(int seconds, Duration latency) {
    for (int i = 0; i < seconds; i++) {
      second(number, latency, number.now());
    }
  }

  /** Windows of measurement end with the first request after a second. */
  private void second(InFlightNumber number, Duration latency, int inFlight) {
    nanos += Duration.ofMillis(100).toNanos();
    for (int i = 0; i < REQUESTS; i++) {
      nanos += Duration.ofMillis(i == REQUESTS - 1 ? 1_000 : 1).toNanos();
      number.took(nanos, latency.toNanos(), inFlight);
    }
  }
}
