package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** How many nodes are counted. */
class HeartbeatTest extends NodeListSuite {

  @Test
  void two_stores_count_each_other_and_keep_the_count_while_redis_is_away() {
    try (RedisLimitStore one = connect();
        RedisLimitStore other = connect()) {
      awaitNodes(one, 2);
      awaitNodes(other, 2);
      IntSupplier nodes = one.nodes(1);
      assertThat(nodes.getAsInt()).isEqualTo(2);
      assertThat(one.nodes(5).getAsInt()).isEqualTo(5);
      server.kill();
      Awaitility.await().until(() -> !Load.decides(one) && !one.isHealthy());
      assertThat(nodes.getAsInt()).isEqualTo(2);
    }
  }

  @Test
  void a_node_that_is_lost_is_not_alive_but_reckoned_with() {
    try (Jedis redis = server.client()) {
      beat(redis, "lost", seconds(redis, 0));
      try (RedisLimitStore store = connect()) {
        awaitNodes(store, 2);
        beat(redis, "lost", seconds(redis, -16));
        awaitNodes(store, 1);
        assertThat(store.nodes(1).getAsInt()).isEqualTo(2);
        assertThat(store.status().lostNodes()).isEqualTo(1);
      }
    }
  }

  @Test
  void the_clock_of_redis_is_compared_with_the_one_of_the_node() {
    try (RedisLimitStore store =
        RedisLimitStore.connect(
            RedisOptions.of(server.uri(), "skewed"),
            LimiterListener.NONE,
            () -> Instant.now().minusSeconds(5))) {
      awaitNodes(store, 1);
      Awaitility.await().until(() -> store.status().clockSkew().isPresent());
      assertThat(store.status().clockSkew().orElseThrow())
          .isBetween(Duration.ofMillis(4_900), Duration.ofMillis(5_100));
    }
  }

  @Test
  void the_clock_of_a_node_that_decides_by_its_own_is_not_compared() {
    RedisOptions options =
        RedisOptions.of(server.uri(), "unskewed").withClock(RedisOptions.Clock.NODE);
    try (RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE)) {
      assertThat(store.awaitAnswer()).isTrue();
      assertThat(store.status().clockSkew()).isEmpty();
    }
  }

  @Test
  void a_list_that_redis_has_lost_makes_no_share_larger() {
    try (Jedis redis = server.client()) {
      beat(redis, "other", seconds(redis, 0));
      try (RedisLimitStore store = connect()) {
        awaitNodes(store, 2);
        redis.del(KEY);
        awaitNodes(store, 1);
        assertThat(store.nodes(1).getAsInt()).isEqualTo(2);
      }
    }
  }

  @Test
  void what_a_restored_list_lacks_has_not_left() {
    try (Jedis redis = server.client();
        RedisLimitStore store = connect("restored")) {
      awaitNodes(store, 1);
      byte[] nodes = redis.dump(KEY);
      byte[] lost = redis.dump(KEY + ":lost");
      beat(redis, "other", seconds(redis, 0));
      awaitNodes(store, 2);
      restore(redis, KEY, nodes);
      restore(redis, KEY + ":lost", lost);
      awaitNodes(store, 1);
      assertThat(store.nodes(1).getAsInt()).isEqualTo(2);
    }
  }

  @Test
  void applications_are_counted_apart() {
    try (RedisLimitStore one = connect();
        RedisLimitStore other =
            RedisLimitStore.connect(
                RedisOptions.of(server.uri(), "another"), LimiterListener.NONE)) {
      awaitNodes(one, 1);
      awaitNodes(other, 1);
    }
  }

  @Test
  void the_dead_are_dropped_and_so_are_beats_from_the_future() {
    try (Jedis redis = server.client()) {
      beat(redis, "dead", seconds(redis, -16));
      beat(redis, "from the future", seconds(redis, 60));
      beat(redis, "alive", seconds(redis, -1));
      try (RedisLimitStore store = connect()) {
        awaitNodes(store, 2);
        assertThat(redis.zcard(KEY)).isEqualTo(2);
        assertThat(redis.pttl(KEY)).isBetween(1L, 15_000L);
      }
    }
  }

  @Test
  void a_foreign_value_under_the_key_is_replaced() {
    try (Jedis redis = server.client()) {
      redis.set(KEY, "foreign");
      try (RedisLimitStore store = connect()) {
        Awaitility.await().until(() -> redis.type(KEY).equals("zset"));
        awaitNodes(store, 1);
      }
    }
  }

  @Test
  void a_configured_number_of_nodes_is_positive() {
    try (RedisLimitStore store = connect()) {
      assertThatThrownBy(() -> store.nodes(0)).hasMessage("nodes: 0 (expected: > 0)");
    }
  }
}
