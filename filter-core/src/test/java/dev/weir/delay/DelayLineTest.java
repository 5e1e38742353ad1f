package dev.weir.delay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelayLineTest {

  private static final long DELAY = 500;

  private final DelayLine<String> line = new DelayLine<>(DELAY);

  @Test
  void nothing_comes_out_before_its_time() {
    line.put("one", 1_000);

    assertThat(line.take(1_499)).isNull();
    assertThat(line.waitNanos(1_499)).isEqualTo(1);
    assertThat(line.take(1_500)).isEqualTo("one");
    assertThat(line.isEmpty()).isTrue();
    assertThat(line.waitNanos(1_500)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void all_that_is_due_comes_out_in_the_order_in_which_it_went_in() {
    line.put("one", 0);
    line.put("two", 0);
    line.put("three", 1);

    assertThat(line.take(500)).isEqualTo("one");
    assertThat(line.take(500)).isEqualTo("two");
    assertThat(line.take(500)).isNull();
    assertThat(line.take(501)).isEqualTo("three");
  }

  /** The clock's origin is arbitrary. */
  @Test
  void the_clock_may_pass_its_largest_number() {
    long put = Long.MAX_VALUE - 100;
    line.put("one", put);

    assertThat(line.take(Long.MAX_VALUE)).isNull();
    assertThat(line.take(put + DELAY)).isEqualTo("one");
  }
}
