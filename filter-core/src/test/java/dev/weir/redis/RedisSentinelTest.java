package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.FreePorts;
import dev.weir.redis.internal.client.Host;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** A primary that a sentinel names. */
class RedisSentinelTest {

  private final Recorder received = new Recorder();

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void the_primary_decides_and_another_one_takes_over(RedisVersion version) {
    try (RedisServers servers = RedisServers.sentinels(version, 1);
        RedisServer next = RedisServer.start(version);
        RedisLimitStore store = connect(servers.uri())) {
      Awaitility.await().until(() -> Load.decides(store));
      assertPrimary(store, servers.get(0));

      servers.get(0).kill();
      name(next, servers.get(1));
      Awaitility.await()
          .atMost(Duration.ofSeconds(8))
          .until(() -> store.isHealthy() && Load.decides(store));
      assertPrimary(store, next);
    }
  }

  @Test
  void no_connection_to_the_old_primary_outlives_its_time() throws InterruptedException {
    try (RedisServers servers = RedisServers.sentinels(RedisVersion.newest(), 1);
        RedisServer next = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store = connect(servers.uri());
        Jedis old = servers.get(0).client()) {
      Awaitility.await().until(() -> Load.decides(store));
      AtomicBoolean moved = new AtomicBoolean();
      Thread load = new Thread(() -> loadUntil(moved, store));
      load.start();
      name(next, servers.get(1));
      Awaitility.await().until(() -> decisions(next) > 0);
      moved.set(true);
      load.join();
      Awaitility.await().until(() -> old.clientList().lines().count() == 1);
      assertThat(store.isHealthy()).isTrue();
    }
  }

  private RedisLimitStore connect(String uri) {
    return RedisLimitStore.connect(RedisOptions.of(uri, "watched"), received);
  }

  /** Makes the sentinel name this server. */
  private static void name(RedisServer primary, RedisServer sentinel) {
    try (Jedis client = sentinel.client()) {
      client.sentinelRemove("main");
      client.sentinelMonitor("main", "127.0.0.1", primary.port(), 1);
    }
  }

  private static boolean isPrimary(RedisLimitStore store, RedisServer server) {
    return store.status().primaries().stream()
        .allMatch(primary -> primary.address().equals("127.0.0.1:" + server.port()));
  }

  private static void assertPrimary(RedisLimitStore store, RedisServer server) {
    assertThat(store.status().primaries())
        .extracting(RedisStatus.Primary::address)
        .containsExactly("127.0.0.1:" + server.port());
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
  void a_replica_is_not_moved_to_though_sentinels_name_it_until_it_is_a_primary() {
    try (RedisServers servers = RedisServers.sentinels(RedisVersion.newest(), 1);
        RedisServer replica = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store = connect(servers.uri());
        Jedis client = replica.client()) {
      Awaitility.await().until(() -> Load.decides(store));
      client.replicaof("127.0.0.1", servers.get(0).port());
      name(replica, servers.get(1));
      Awaitility.await().until(() -> replica.calls("role") > 2);
      assertPrimary(store, servers.get(0));
      assertThat(Load.decides(store)).isTrue();
      assertThat(received.switches).isEmpty();

      client.replicaofNoOne();
      Awaitility.await().until(() -> Load.decides(store) && isPrimary(store, replica));
    }
  }

  @Test
  void sentinels_are_believed_where_nobody_may_ask_a_server_for_its_role() {
    try (RedisServers servers = RedisServers.sentinels(RedisVersion.newest(), 1);
        Jedis client = servers.get(0).client()) {
      client.aclSetUser("default", "-role");
      try (RedisLimitStore store = connect(servers.uri())) {
        Awaitility.await().until(() -> Load.decides(store));
        assertThat(received.errors).isEmpty();
      }
    }
  }

  @Test
  void a_primary_that_says_it_is_one_no_longer_is_left_before_the_next_look_is_due() {
    try (RedisServers servers = RedisServers.sentinels(RedisVersion.newest(), 1);
        RedisServer next = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store = connect(servers.uri());
        Jedis old = servers.get(0).client()) {
      Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> Load.decides(store));
      name(next, servers.get(1));
      old.replicaof("127.0.0.1", next.port());
      Awaitility.await()
          .atMost(Duration.ofSeconds(1))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> Load.decides(store) && isPrimary(store, next));
    }
  }

  @Test
  void a_sentinel_that_swallows_every_question_delays_nothing() throws IOException {
    Duration longerThanTheTestWaits = Duration.ofSeconds(30);
    try (RedisServers servers = RedisServers.sentinels(RedisVersion.newest(), 2);
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String uri = servers.uri().replace("://", "://127.0.0.1:" + silent.getLocalPort() + ",");
      RedisOptions options = RedisOptions.of(uri, "watched").withDeadline(longerThanTheTestWaits);
      try (RedisServer next = RedisServer.start(RedisVersion.newest());
          RedisLimitStore store = RedisLimitStore.connect(options, received)) {
        Awaitility.await().until(() -> Load.decides(store));
        name(next, servers.get(1));
        name(next, servers.get(2));
        Awaitility.await().until(() -> Load.decides(store) && isPrimary(store, next));
      }
    }
  }

  @Test
  void what_most_sentinels_name_is_the_primary() {
    Host a = new Host("a", 1);
    Host b = new Host("b", 1);
    assertThat(Sentinels.majority(Map.of(a, 1), 0)).hasValue(a);
    assertThat(Sentinels.majority(Map.of(a, 1, b, 2), 0)).hasValue(b);
    assertThat(Sentinels.majority(Map.of(a, 1, b, 1), 0)).isEmpty();
    assertThat(Sentinels.majority(Map.of(a, 2), 1)).hasValue(a);
    assertThat(Sentinels.majority(Map.of(a, 2), 2)).isEmpty();
    assertThat(Sentinels.majority(Map.of(a, 3, b, 1), 1)).hasValue(a);
    assertThat(Sentinels.majority(Map.of(), 0)).isEmpty();
  }

  @Test
  void a_store_connects_while_no_sentinel_answers_and_says_why_it_cannot_decide() {
    String nobody = "redis-sentinel://127.0.0.1:" + FreePorts.next() + "/main";
    try (RedisLimitStore store = connect(nobody)) {
      Awaitility.await().until(() -> !received.switches.isEmpty());
      assertThat(Load.once(store, Duration.ofSeconds(5)).took()).isLessThan(Duration.ofMillis(500));
      assertThat(store.isHealthy()).isFalse();
      assertThat(store.status().primaries()).isEmpty();
      assertThat(received.texts).first().asString().contains("refused");
    }
  }
}
