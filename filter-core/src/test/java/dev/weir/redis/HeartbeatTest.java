package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.LimiterListener;
import dev.weir.NodeShare;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#all")
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
    try (RedisLimitStore one = connect()) {
      NodeShare share = one.share(1);
      awaitNodes(one, 1);
      try (RedisLimitStore other = connect()) {
        awaitNodes(other, 2);
        awaitNodes(one, 2);
        assertThat(share.nodes()).isEqualTo(2);
        assertThat(one.share(5).nodes()).isEqualTo(5);
      }
      server.kill();
      Awaitility.await().until(() -> !Load.decides(one) && !one.isHealthy());
      assertThat(share.nodes()).isEqualTo(2);
      assertThat(share.nextProbe())
          .hasValueSatisfying(
              next -> assertThat(next).isBetween(Duration.ofMillis(1), Duration.ofMillis(601)));
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
      long nowMicros = Long.parseLong(redis.time().get(0)) * 1_000_000;
      redis.zadd(KEY, nowMicros - 16_000_000.0, "dead");
      redis.zadd(KEY, nowMicros + 60_000_000.0, "from the future");
      redis.zadd(KEY, nowMicros - 1_000_000.0, "alive");
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

  private RedisLimitStore connect() {
    return RedisLimitStore.connect(
        RedisOptions.of(server.uri(), "beating").withDeadline(Duration.ofMillis(500)),
        LimiterListener.NONE);
  }
}
