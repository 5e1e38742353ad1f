package dev.weir.bench.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** How long decisions take from the point of view of a caller. */
class TimedTest {

  private static Histogram caller(int decisions, long micros) {
    Histogram caller = new Histogram(3);
    caller.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(micros), decisions);
    return caller;
  }

  @Test
  void a_caller_that_starves_counts_as_much_as_one_that_is_served() {
    assertThat(Timed.p99Micros(List.of(caller(20_000, 100), caller(40, 50_000))))
        .isCloseTo(50_000, withPercentage(0.2));
  }

  @Test
  void one_among_more_than_a_hundred_is_not_seen() {
    Histogram served = caller(20_000, 100);
    List<Histogram> callers =
        Stream.concat(Stream.of(caller(40, 50_000)), Stream.generate(() -> served).limit(150))
            .toList();
    assertThat(Timed.p99Micros(callers)).isCloseTo(100, withPercentage(0.2));
  }

  @Test
  void one_decision_of_a_hundred_of_each_is_not_seen() {
    Histogram caller = caller(990, 100);
    caller.recordValueWithCount(TimeUnit.MILLISECONDS.toNanos(50), 9);
    assertThat(Timed.p99Micros(List.of(caller, caller))).isCloseTo(100, withPercentage(0.2));
  }
}
