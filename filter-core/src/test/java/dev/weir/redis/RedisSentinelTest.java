package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** A primary that a sentinel names. */
class RedisSentinelTest {

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#all")
  void the_primary_decides_and_another_one_takes_over(RedisVersion version) {
    Recorder heard = new Recorder();
    try (RedisServers servers = RedisServers.sentinel(version);
        RedisServer next = RedisServer.start(version);
        RedisLimitStore store =
            RedisLimitStore.connect(RedisOptions.of(servers.uri(), "watched"), heard)) {
      Awaitility.await().until(() -> Load.decides(store));
      assertThat(store.status().primaries())
          .extracting(RedisStatus.Primary::address)
          .containsExactly("127.0.0.1:" + servers.get(0).port());

      servers.get(0).kill();
      try (Jedis sentinel = servers.get(1).client()) {
        sentinel.sentinelRemove("main");
        sentinel.sentinelMonitor("main", "127.0.0.1", next.port(), 1);
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(8))
          .until(() -> store.isHealthy() && Load.decides(store));
      assertThat(store.status().primaries())
          .extracting(RedisStatus.Primary::address)
          .containsExactly("127.0.0.1:" + next.port());
    }
  }

  @Test
  void no_connection_to_the_old_primary_outlives_its_time() throws InterruptedException {
    try (RedisServers servers = RedisServers.sentinel(RedisVersion.newest());
        RedisServer next = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store =
            RedisLimitStore.connect(RedisOptions.of(servers.uri(), "watched"), new Recorder());
        Jedis old = servers.get(0).client();
        Jedis sentinel = servers.get(1).client()) {
      Awaitility.await().until(() -> Load.decides(store));
      AtomicBoolean moved = new AtomicBoolean();
      Thread load = new Thread(() -> loadUntil(moved, store));
      load.start();
      sentinel.sentinelRemove("main");
      sentinel.sentinelMonitor("main", "127.0.0.1", next.port(), 1);
      Awaitility.await().until(() -> decisions(next) > 0);
      moved.set(true);
      load.join();
      Awaitility.await().until(() -> old.clientList().lines().count() == 1);
      assertThat(store.isHealthy()).isTrue();
    }
  }

  private static void loadUntil(AtomicBoolean end, RedisLimitStore store) {
    try {
      while (!end.get()) {
        Load.storm(store, 8, 10, Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long decisions(RedisServer server) {
    try (Jedis redis = server.client()) {
      return redis.dbSize();
    }
  }

  @Test
  void what_most_sentinels_name_is_the_primary() {
    Host a = new Host("a", 1);
    Host b = new Host("b", 1);
    assertThat(Sentinels.majority(Map.of(a, 1))).isEqualTo(a);
    assertThat(Sentinels.majority(Map.of(a, 1, b, 2))).isEqualTo(b);
    assertThatThrownBy(() -> Sentinels.majority(Map.of(a, 1, b, 1)))
        .isInstanceOf(JedisException.class)
        .hasMessageContaining("disagree");
  }

  @Test
  void a_store_connects_while_no_sentinel_answers_and_says_why_it_cannot_decide() {
    Recorder heard = new Recorder();
    try (RedisLimitStore store =
        RedisLimitStore.connect(
            RedisOptions.of(
                "redis-sentinel://127.0.0.1:" + RedisServer.freePort() + "/main", "lost"),
            heard)) {
      Awaitility.await().until(() -> !heard.switches.isEmpty());
      assertThat(Load.once(store, Duration.ofSeconds(5)).took()).isLessThan(Duration.ofMillis(500));
      assertThat(store.isHealthy()).isFalse();
      assertThat(store.status().primaries()).isEmpty();
      assertThat(heard.texts).first().asString().contains("refused");
    }
  }
}
