package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A closed store leaves nothing behind: no thread, no connection. */
class RedisCloseTest {

  private final Set<Thread> before = Thread.getAllStackTraces().keySet();
  private final RedisServer server = RedisServer.start(RedisVersion.newest());

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void while_redis_answers() throws InterruptedException {
    RedisLimitStore store = connect();
    Load.storm(store, 32, 50, Duration.ofSeconds(5));
    Thread storm = new Thread(() -> stormUntilClosed(store));
    storm.start();
    Awaitility.await().until(() -> clients() > 0);
    store.close();
    assertThat(ours()).isEmpty();
    assertThat(clients()).isZero();
    storm.join(2_000);
    assertThat(storm.isAlive()).isFalse();
  }

  @Test
  void while_redis_is_frozen() throws InterruptedException {
    RedisLimitStore store = connect();
    Load.storm(store, 32, 50, Duration.ofSeconds(5));
    server.freeze();
    try {
      Thread storm = new Thread(() -> stormUntilClosed(store));
      storm.start();
      Awaitility.await().until(() -> !store.isHealthy());
      store.close();
      assertThat(ours()).isEmpty();
      storm.join(2_000);
      assertThat(storm.isAlive()).isFalse();
    } finally {
      server.thaw();
    }
    Awaitility.await().until(() -> clients() == 0);
  }

  @Test
  void while_redis_is_down() {
    server.kill();
    RedisLimitStore store = connect();
    Load.once(store, Duration.ofMillis(100));
    store.close();
    assertThat(ours()).isEmpty();
  }

  @Test
  void while_a_sentinel_keeps_silent() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String uri = "redis-sentinel://127.0.0.1:" + silent.getLocalPort() + "/main";
      RedisLimitStore store =
          RedisLimitStore.connect(RedisOptions.of(uri, "closing"), LimiterListener.NONE);
      Awaitility.await().until(() -> ours().contains("weir-redis-sentinels"));
      store.close();
      assertThat(ours()).isEmpty();
    }
  }

  /** A reload closes a store that a request may still meet. The next one finds the new store. */
  @Test
  void a_request_that_meets_it_may_come_again_at_once() {
    RedisLimitStore store = connect();
    store.close();
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> store.decide(Load.request(Duration.ofSeconds(1))))
        .extracting(StoreUnavailableException::nextProbe)
        .isEqualTo(Duration.ofSeconds(1));
  }

  private static void stormUntilClosed(RedisLimitStore store) {
    try {
      Load.storm(store, 32, 200, Duration.ofMillis(200));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private RedisLimitStore connect() {
    return RedisLimitStore.connect(
        RedisOptions.of(server.uri(), "closing-" + server.port()), LimiterListener.NONE);
  }

  /** Returns the threads of this test's stores. Other tests may have left a log that is idle. */
  private List<String> ours() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-redis"))
        .toList();
  }

  /** Returns the number of connections, without the calling one. */
  private long clients() {
    try (Jedis redis = server.client()) {
      return redis.clientList().lines().count() - 1;
    }
  }
}
