package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

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
