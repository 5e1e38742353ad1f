package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.SideBySide;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** Stores with the same node id are counted as one. */
@SideBySide
class NodeIdTest {

  private static final String KEY = "beating:{nodes}:weir";
  private static final Duration SOON = Duration.ofSeconds(15);

  @Test
  void stores_of_one_id_are_one_node_and_the_last_of_them_takes_it_off_the_list() {
    try (RedisServer server = RedisServer.start(RedisVersion.embedded());
        Jedis redis = server.client()) {
      try (RedisLimitStore staying = connect(options(server).withNode("n1"))) {
        try (RedisLimitStore leaving = connect(options(server).withNode("n1"));
            RedisLimitStore another = connect(options(server).withNode("n2"))) {
          assertThat(leaving.status().liveNodes()).isEqualTo(1);
          assertThat(another.status().liveNodes()).isEqualTo(2);
        }
        assertThat(redis.zrange(KEY, 0, -1)).containsExactly("n1");
        double beat = redis.zscore(KEY, "n1");
        await().atMost(SOON).until(() -> redis.zscore(KEY, "n1") > beat);
        assertThat(staying.isHealthy()).isTrue();
      }
      assertThat(redis.exists(KEY)).isFalse();
    }
  }

  @Test
  void a_node_leaves_each_redis_with_the_last_store_that_is_open_there() {
    try (RedisServer one = RedisServer.start(RedisVersion.embedded());
        RedisServer other = RedisServer.start(RedisVersion.embedded());
        Jedis there = one.client();
        RedisLimitStore staying = connect(options(other).withNode("n1"))) {
      connect(options(one).withNode("n1")).close();
      assertThat(there.exists(KEY)).isFalse();
      assertThat(staying.isHealthy()).isTrue();
    }
  }

  @Test
  void a_node_that_leaves_by_one_spelling_of_its_redis_is_back_with_the_next_beat_of_the_other() {
    try (RedisServer server = RedisServer.start(RedisVersion.embedded());
        Jedis redis = server.client();
        RedisLimitStore staying = connect(options(server).withNode("n1"))) {
      connect(options("redis://localhost:" + server.port()).withNode("n1")).close();
      await().atMost(SOON).until(() -> redis.zrange(KEY, 0, -1).equals(List.of("n1")));
      assertThat(staying.isHealthy()).isTrue();
    }
  }

  @Test
  void a_node_that_opens_again_is_on_the_list_again() {
    try (RedisServer server = RedisServer.start(RedisVersion.embedded());
        Jedis redis = server.client()) {
      for (int i = 0; i < 3; i++) {
        try (RedisLimitStore store = connect(options(server).withNode("n1"))) {
          assertThat(store.isHealthy()).isTrue();
          assertThat(redis.zrange(KEY, 0, -1)).containsExactly("n1");
        }
        assertThat(redis.exists(KEY)).isFalse();
      }
    }
  }

  @Test
  void stores_that_are_given_no_id_are_nodes_of_their_own() {
    try (RedisServer server = RedisServer.start(RedisVersion.embedded())) {
      RedisOptions options = options(server);
      try (RedisLimitStore one = connect(options);
          RedisLimitStore other = connect(options)) {
        assertThat(one.status().liveNodes()).isEqualTo(1);
        assertThat(other.status().liveNodes()).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a{b", "a\nb", "caf\u00e9"})
  void an_id_is_printable_ascii_without_braces(String id) {
    RedisOptions options = RedisOptions.of("redis://cache", "shop");
    assertThatThrownBy(() -> options.withNode(id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("node: ")
        .hasMessageContaining("(expected: ");
  }

  @Test
  void an_id_outlives_what_else_is_changed() {
    RedisOptions options =
        RedisOptions.of("redis://cache", "shop")
            .withNode("n1")
            .withSecret("pepper of 16 bytes")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(Duration.ofMillis(50));
    assertThat(options.node()).contains("n1");
    assertThatThrownBy(() -> options.withNode("x".repeat(65)))
        .hasMessage("node: a name of 65 characters (expected: at most 64)");
  }

  /** Connects a store and waits until its heartbeat has arrived. */
  private static RedisLimitStore connect(RedisOptions options) {
    RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
    assertThat(store.awaitAnswer(SOON)).isTrue();
    return store;
  }

  private static RedisOptions options(RedisServer server) {
    return options(server.uri());
  }

  private static RedisOptions options(String uri) {
    return RedisOptions.of(uri, "beating").withDeadline(Duration.ofMillis(500));
  }
}
