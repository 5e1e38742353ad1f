package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.FreePorts;
import dev.weir.store.AcquireRequest;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Servers that announce addresses at which they are not reached. */
class RedisAddressesTest extends LoggedStores {

  private static final RedisVersion VERSION = RedisVersion.newest();

  @Test
  void a_cluster_that_announces_addresses_at_which_it_is_not_reached_decides_by_a_map() {
    Map<Integer, Integer> announced = new HashMap<>();
    try (RedisServers cluster =
        RedisServers.cluster(
            VERSION, 3, port -> announced.computeIfAbsent(port, unused -> FreePorts.next()))) {
      String uri = "redis-cluster://127.0.0.1:" + cluster.get(0).port();
      Map<String, String> reached = new HashMap<>();
      announced.forEach((port, other) -> reached.put(address(other), address(port)));
      try (RedisLimitStore store = connect(uri, RedisAccess.of())) {
        await(() -> log.text().contains("is out"));
        assertThat(decidesForAll(store)).isFalse();
      }
      try (RedisLimitStore store = connect(uri, RedisAccess.of().withAddresses(reached))) {
        await(() -> decidesForAll(store));
        assertThat(store.status().primaries())
            .extracting(RedisStatus.Primary::address)
            .containsExactlyInAnyOrderElementsOf(reached.keySet());
      }
    }
  }

  @Test
  void what_sentinels_announce_is_mapped_too() {
    int unreachable = FreePorts.next();
    try (RedisServers servers = RedisServers.sentinels(VERSION, 1);
        Jedis sentinel = servers.get(1).client()) {
      sentinel.sentinelRemove("main");
      sentinel.sentinelMonitor("main", "127.0.0.1", unreachable, 1);
      RedisAccess access =
          RedisAccess.of()
              .withAddresses(Map.of(address(unreachable), address(servers.get(0).port())));
      try (RedisLimitStore store = connect(servers.uri(), access)) {
        await(() -> Load.decides(store));
      }
    }
  }

  @Test
  void a_cluster_over_tls_that_announces_addresses_which_its_certificate_lacks_is_reached_by_name()
      throws IOException {
    try (TlsFiles files = TlsFiles.generate("localhost");
        RedisServers cluster = ServersByScheme.start("rediss-cluster", VERSION, files)) {
      Map<String, String> reached = new HashMap<>();
      for (RedisServer node : cluster.all()) {
        try (Jedis admin = node.client()) {
          String port = admin.configGet("tls-port").get("tls-port");
          reached.put("127.0.0.1:" + port, "localhost:" + port);
        }
      }
      RedisAccess access = RedisAccess.of().withAuthorities(files.directory().resolve("cert.pem"));
      try (RedisLimitStore store = connect(cluster.uri(), access)) {
        await(() -> log.text().contains("No subject alternative names"));
        assertThat(Load.decides(store)).isFalse();
      }
      try (RedisLimitStore store = connect(cluster.uri(), access.withAddresses(reached))) {
        await(() -> decidesForAll(store));
      }
    }
  }

  private static RedisLimitStore connect(String uri, RedisAccess access) {
    return connect(RedisOptions.of(uri, "access").withAccess(access));
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(condition);
  }

  /** Returns whether decisions about so many subjects that each primary has some are made. */
  private static boolean decidesForAll(RedisLimitStore store) {
    for (int i = 0; i < 30; i++) {
      Subject subject = Subject.of("user", UUID.randomUUID().toString());
      AcquireRequest request =
          AcquireRequests.request(AcquireRequests.charge("nat", "5 per hour", subject, 1));
      try {
        store.decide(request);
      } catch (StoreUnavailableException out) {
        return false;
      }
    }
    return true;
  }

  private static String address(int port) {
    return "127.0.0.1:" + port;
  }
}
