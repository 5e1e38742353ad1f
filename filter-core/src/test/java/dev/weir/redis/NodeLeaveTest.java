package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.store.LimiterListener;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** How a node that closes leaves the list of live nodes. */
class NodeLeaveTest extends NodeListSuite {

  @Test
  void a_store_that_closes_leaves_the_list_at_once_and_the_others_reckon_without_it() {
    try (RedisLimitStore staying = connect();
        Jedis redis = server.client()) {
      RedisLimitStore leaving = connect();
      awaitNodes(leaving, 2);
      awaitNodes(staying, 2);
      leaving.close();
      assertThat(redis.zcard(KEY)).isEqualTo(1);
      awaitNodes(staying, 1);
      assertThat(staying.nodes(1).getAsInt()).isEqualTo(1);
    }
  }

  @Test
  void a_leave_that_arrives_late_takes_off_no_node_that_beats_again() {
    try (Jedis redis = server.client()) {
      RedisLimitStore leaving = connect("again");
      awaitNodes(leaving, 1);
      beat(redis, "again", seconds(redis, 1));
      leaving.close();
      assertThat(redis.zrange(KEY, 0, -1)).containsExactly("again");
    }
  }

  @Test
  void a_node_leaves_a_redis_that_is_full() {
    RedisLimitStore store = connect();
    awaitNodes(store, 1);
    try (Jedis redis = server.client()) {
      redis.configSet("maxmemory", "1");
      store.close();
      assertThat(redis.exists(KEY)).isFalse();
    }
  }

  @Test
  void a_beat_on_its_way_does_not_bring_back_a_node_that_closes() {
    try (Jedis redis = server.client()) {
      for (int i = 0; i < 50; i++) {
        connect().close();
        assertThat(redis.exists(KEY)).as("round " + i).isFalse();
      }
    }
  }

  @Test
  void to_leave_takes_no_time_that_a_frozen_redis_does_not_give() {
    RedisLimitStore store =
        RedisLimitStore.connect(
            RedisOptions.of(server.uri(), "beating").withDeadline(Duration.ofMinutes(1)),
            LimiterListener.NONE);
    awaitNodes(store, 1);
    server.freeze();
    try {
      assertTimeoutPreemptively(Duration.ofSeconds(20), store::close);
    } finally {
      server.thaw();
    }
  }

  @Test
  void an_interrupted_thread_closes_in_order_too_and_stays_interrupted() {
    RedisLimitStore store = connect();
    awaitNodes(store, 1);
    Thread.currentThread().interrupt();
    store.close();
    assertThat(Thread.interrupted()).isTrue();
    try (Jedis redis = server.client()) {
      assertThat(redis.exists(KEY)).isFalse();
    }
  }

  @Test
  void to_leave_a_list_that_is_foreign_or_gone_changes_nothing() {
    RedisLimitStore one = connect();
    RedisLimitStore other = connect();
    awaitNodes(other, 2);
    try (Jedis redis = server.client()) {
      redis.set(KEY, "foreign");
      one.close();
      assertThat(redis.get(KEY)).isEqualTo("foreign");
      redis.del(KEY);
      other.close();
      assertThat(redis.exists(KEY)).isFalse();
    }
  }
}
