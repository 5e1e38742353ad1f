package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeCountTest {

  private static final long LIST_BEGAN = 1_763_847_194_000_000L;

  private final NodeCount count = new NodeCount();
  private long now = Long.MAX_VALUE - 5;
  private long lost = LIST_BEGAN;
  private int alive;

  @Test
  void is_one_before_anything_was_heard() {
    assertThat(count.highest()).isEqualTo(1);
    assertThat(count.latest()).isEqualTo(1);
  }

  @Test
  void lost_nodes_count_for_ten_minutes() {
    join(3);
    after(60).join(4);
    after(60).lose(5);
    after(60).join(3);
    after(400).lose(4);
    assertThat(count.highest()).isEqualTo(7);
    assertThat(count.latest()).isEqualTo(1);
    after(90).hear();
    assertThat(count.highest()).isEqualTo(5);
    after(60).hear();
    assertThat(count.highest()).isEqualTo(5);
    after(451).hear();
    assertThat(count.highest()).isEqualTo(1);
  }

  @Test
  void nodes_that_have_left_in_order_count_no_more() {
    join(10);
    after(5).leave(7);
    assertThat(count.highest()).isEqualTo(3);
    assertThat(count.latest()).isEqualTo(3);
  }

  @Test
  void a_node_that_leaves_does_not_hide_one_that_was_lost() {
    join(3);
    after(5).lose(1);
    after(5).leave(1);
    assertThat(count.latest()).isEqualTo(1);
    assertThat(count.highest()).isEqualTo(2);
  }

  @Test
  void a_node_that_joins_and_leaves_does_not_hide_one_that_was_lost() {
    join(3);
    after(5).lose(1);
    after(5).join(1);
    assertThat(count.highest()).isEqualTo(3);
    after(5).leave(1);
    assertThat(count.latest()).isEqualTo(2);
    assertThat(count.highest()).isEqualTo(3);
  }

  @Test
  void a_rolling_restart_of_three_is_never_more_than_four() {
    join(3);
    for (int i = 0; i < 3; i++) {
      after(5).join(1);
      assertThat(count.highest()).isEqualTo(4);
      after(5).leave(1);
      assertThat(count.highest()).isEqualTo(3);
    }
    for (int i = 0; i < 3; i++) {
      after(5).leave(1);
      assertThat(count.highest()).isEqualTo(2);
      after(5).join(1);
      assertThat(count.highest()).isEqualTo(3);
    }
  }

  @Test
  void what_another_list_lacks_has_not_left() {
    join(5);
    lost = LIST_BEGAN + 1_000_000;
    alive = 1;
    after(5).hear();
    assertThat(count.highest()).isEqualTo(5);
    lost = LIST_BEGAN - 1_000_000;
    after(5).hear();
    assertThat(count.highest()).isEqualTo(5);
    after(601).hear();
    assertThat(count.highest()).isEqualTo(1);
  }

  @Test
  void nodes_that_had_left_in_order_before_redis_lost_the_list_count_no_more() {
    join(5);
    after(5).leave(3);
    lost = LIST_BEGAN + 1_000_000;
    after(60).hear();
    assertThat(count.highest()).isEqualTo(2);
  }

  /** Redis has dropped the list by then. A node that is cut off looks the same. */
  @Test
  void nodes_that_stop_while_redis_stalls_count_for_ten_minutes_after_their_last_beat() {
    join(3);
    lost = LIST_BEGAN + 1_000_000;
    alive = 1;
    after(240).hear();
    assertThat(count.latest()).isEqualTo(1);
    assertThat(count.highest()).isEqualTo(3);
    after(360).hear();
    assertThat(count.highest()).isEqualTo(3);
    after(1).hear();
    assertThat(count.highest()).isEqualTo(1);
  }

  @Test
  void nodes_that_stop_in_a_stall_of_more_than_ten_minutes_do_not_count_after_it() {
    join(3);
    lost = LIST_BEGAN + 1_000_000;
    alive = 1;
    after(601).hear();
    assertThat(count.highest()).isEqualTo(1);
  }

  @Test
  void it_stands_while_nothing_is_heard_and_ages_when_something_is() {
    join(9);
    now += TimeUnit.HOURS.toNanos(5);
    assertThat(count.highest()).isEqualTo(9);
    lose(7);
    assertThat(count.highest()).isEqualTo(2);
  }

  @Test
  void nodes_are_lost_for_ten_minutes_and_those_of_another_list_do_not_add_up() {
    join(5);
    after(60).lose(2);
    after(60).leave(1);
    assertThat(count.lost()).isEqualTo(2);
    after(295).hear();
    after(5).lose(1);
    assertThat(count.lost()).isEqualTo(3);
    after(301).hear();
    assertThat(count.lost()).isEqualTo(1);
    lost = LIST_BEGAN + 60_000_000;
    after(5).hear();
    assertThat(count.lost()).as("a list that began a minute later").isZero();
  }

  private NodeCountTest after(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
    return this;
  }

  private void join(int nodes) {
    alive += nodes;
    hear();
  }

  private void leave(int nodes) {
    alive -= nodes;
    hear();
  }

  private void lose(int nodes) {
    alive -= nodes;
    lost += nodes;
    hear();
  }

  private void hear() {
    count.update(alive, lost, now);
  }
}
