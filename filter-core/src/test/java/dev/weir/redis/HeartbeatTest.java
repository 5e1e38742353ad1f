package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.LimiterListener;
import dev.weir.NodeShare;
import dev.weir.SideBySide;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.RestoreParams;

@SideBySide
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class HeartbeatTest {

  private static final String KEY = "beating:{nodes}:weir";

  @Parameter RedisVersion version = RedisVersion.embedded();

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start(version);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void two_stores_count_each_other_and_keep_the_count_while_redis_is_away() {
    try (RedisLimitStore one = connect();
        RedisLimitStore other = connect()) {
      awaitNodes(one, 2);
      awaitNodes(other, 2);
      NodeShare share = one.share(1);
      assertThat(share.nodes()).isEqualTo(2);
      assertThat(one.share(5).nodes()).isEqualTo(5);
      server.kill();
      Awaitility.await().until(() -> !Load.decides(one) && !one.isHealthy());
      assertThat(share.nodes()).isEqualTo(2);
      assertThat(share.nextProbe())
          .hasValueSatisfying(
              next -> assertThat(next).isBetween(Duration.ofMillis(1), Duration.ofMillis(601)));
    }
  }

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
      assertThat(staying.share(1).nodes()).isEqualTo(1);
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
        assertThat(store.share(1).nodes()).isEqualTo(2);
      }
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
        assertThat(store.share(1).nodes()).isEqualTo(2);
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
      assertThat(store.share(1).nodes()).isEqualTo(2);
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
      assertThatThrownBy(() -> store.share(0)).hasMessage("nodes: 0 (expected: > 0)");
    }
  }

  private static void awaitNodes(RedisLimitStore store, int nodes) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> Load.decides(store) && store.status().liveNodes() == nodes);
  }

  private static void beat(Jedis redis, String node, double micros) {
    redis.zadd(KEY, micros, node);
  }

  /** Returns the time so many seconds from now, in microseconds of the server's clock. */
  private static double seconds(Jedis redis, long more) {
    return (Long.parseLong(redis.time().get(0)) + more) * 1e6;
  }

  private static void restore(Jedis redis, String key, byte[] snapshot) {
    redis.restore(key, 15_000, snapshot, RestoreParams.restoreParams().replace());
  }

  private RedisLimitStore connect() {
    return RedisLimitStore.connect(options(), LimiterListener.NONE);
  }

  private RedisLimitStore connect(String node) {
    return RedisLimitStore.connect(options().withNode(node), LimiterListener.NONE);
  }

  private RedisOptions options() {
    return RedisOptions.of(server.uri(), "beating").withDeadline(Duration.ofMillis(500));
  }
}
