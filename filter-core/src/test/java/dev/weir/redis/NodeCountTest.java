package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeCountTest {

  private final NodeCount count = new NodeCount();
  private long now = Long.MAX_VALUE - 5;

  @Test
  void is_one_before_anything_was_heard() {
    assertThat(count.highest()).isEqualTo(1);
    assertThat(count.latest()).isEqualTo(1);
  }

  @Test
  void the_highest_of_ten_minutes_counts() {
    hear(3);
    after(60, 7);
    after(60, 2);
    after(60, 5);
    after(400, 1);
    assertThat(count.highest()).isEqualTo(7);
    assertThat(count.latest()).isEqualTo(1);
    after(90, 1);
    assertThat(count.highest()).isEqualTo(5);
    after(60, 1);
    assertThat(count.highest()).isEqualTo(5);
    after(60, 1);
    assertThat(count.highest()).isEqualTo(1);
  }

  @Test
  void it_stands_while_nothing_is_heard_and_ages_when_something_is() {
    hear(9);
    now += TimeUnit.HOURS.toNanos(5);
    assertThat(count.highest()).isEqualTo(9);
    hear(2);
    assertThat(count.highest()).isEqualTo(2);
  }

  private void after(long seconds, int nodes) {
    now += TimeUnit.SECONDS.toNanos(seconds);
    hear(nodes);
  }

  private void hear(int nodes) {
    count.heard(nodes, now);
  }
}
