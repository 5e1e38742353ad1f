package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.FreePorts;
import dev.weir.fixture.LogCapture;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Credentials, databases and TLS; no secret is ever shown. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class RedisConnectTest {

  private static final String PASSWORD = "hunter2 @:/%";
  private static final String ENCODED = "hunter2%20%40%3A%2F%25";

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final Recorder received = new Recorder();

  @Test
  void an_acl_user_with_the_documented_rights_decides_in_its_database() {
    try (RedisServer server = RedisServer.start(version);
        Jedis redis = server.client()) {
      redis.sendCommand(Protocol.Command.ACL, DocumentedUser.rights(PASSWORD));
      String uri = "redis://weir:" + ENCODED + "@127.0.0.1:" + server.port() + "/3";
      try (RedisLimitStore store = connect(RedisOptions.of(uri, "shop"))) {
        Awaitility.await().until(() -> Load.decides(store));
        Charge all = AcquireRequests.charge("all", "1 per day", Subject.of("weir"), 1);
        assertThat(AcquireRequests.decide(store, all).allowed()).isTrue();
        assertThat(AcquireRequests.decide(store, all).allowed()).isFalse();
        assertThat(allowedTogether(store)).isEqualTo(8 * 500);
        assertThat(redis.info("commandstats")).contains("cmdstat_mget");
        redis.select(3);
        assertThat(redis.keys("shop:{*}b:all")).hasSize(1);
        Awaitility.await().until(() -> redis.exists("shop:{nodes}:weir"));
        assertThat(received.errors).isEmpty();
      }
    }
  }

  @Test
  void a_server_that_keeps_all_slots_of_a_cluster_by_itself_is_asked_for_each_apart() {
    try (RedisServer server = RedisServer.start(version, "--cluster-enabled", "yes");
        Jedis redis = server.client()) {
      redis.clusterAddSlots(IntStream.range(0, 16_384).toArray());
      Awaitility.await().until(() -> redis.clusterInfo().contains("cluster_state:ok"));
      String uri = "redis://127.0.0.1:" + server.port();
      try (RedisLimitStore store = connect(RedisOptions.of(uri, "shop"))) {
        Awaitility.await().until(() -> Load.decides(store));
        assertThat(allowedTogether(store)).isEqualTo(8 * 500);
        assertThat(received.errors).isEmpty();
      }
    }
  }

  /** Decides from many threads at once, so that decisions are batched. */
  private static int allowedTogether(RedisLimitStore store) {
    AtomicInteger allowed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Charge one =
          AcquireRequests.charge("together", "500 per day", Subject.of("user", "u" + t), 1);
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 500; i++) {
                  allowed.addAndGet(AcquireRequests.decide(store, one).allowed() ? 1 : 0);
                }
              }));
    }
    threads.forEach(Thread::start);
    threads.forEach(RedisConnectTest::join);
    return allowed.get();
  }

  private static void join(Thread thread) {
    try {
      thread.join(60_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_password_alone_is_the_default_users() {
    try (RedisServer server = RedisServer.start(version, "--requirepass", "hunter2");
        RedisLimitStore store =
            connect(RedisOptions.of("redis://:hunter2@127.0.0.1:" + server.port(), "shop"))) {
      Awaitility.await().until(() -> Load.decides(store));
    }
  }

  @Test
  void a_wrong_password_is_wrong_setup_and_shown_nowhere() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class);
        RedisServer server = RedisServer.start(version, "--requirepass", "right");
        RedisLimitStore store =
            connect(RedisOptions.of("redis://:hunter2@127.0.0.1:" + server.port(), "shop"))) {
      Awaitility.await().until(() -> !Load.decides(store) && !received.errors.isEmpty());
      assertThat(received.errors).anyMatch(error -> error.contains("wrong set-up"));
      assertThat(received.texts).noneMatch(text -> text.contains("hunter2"));
      Awaitility.await().until(() -> !log.records().isEmpty());
      assertThat(log.records())
          .noneMatch(
              record ->
                  (record.getMessage() + List.of(record.getParameters())).contains("hunter2"));
    }
  }

  @Test
  void no_subject_and_no_secret_is_seen_in_redis() throws InterruptedException {
    String apiKey = "api-key-" + UUID.randomUUID();
    try (RedisServer server = RedisServer.start(version);
        Jedis monitor = server.client();
        Jedis redis = server.client();
        RedisLimitStore store =
            connect(RedisOptions.of(server.uri(), "shop").withSecret("pepper-and-salt-32"))) {
      List<String> seen = new CopyOnWriteArrayList<>();
      Thread watching = new Thread(() -> watch(monitor, seen));
      watching.start();
      Awaitility.await()
          .until(
              () -> {
                AcquireRequests.decide(
                    store,
                    AcquireRequests.charge(
                        "api", "10 per second", Subject.of("header:X-API-Key", apiKey), 1));
                return seen.stream().anyMatch(line -> line.contains(":api"));
              });
      Set<String> keys = redis.keys("*");
      assertThat(keys).isNotEmpty().noneMatch(key -> key.contains(apiKey));
      assertThat(seen)
          .noneMatch(line -> line.contains(apiKey))
          .noneMatch(line -> line.contains("pepper-and-salt"));
      monitor.getConnection().setBroken();
      server.kill();
      watching.join();
    }
  }

  @Test
  void tls_connects_to_the_host_that_the_certificate_names_and_refuses_another()
      throws IOException {
    try (TlsFiles files = TlsFiles.generate("localhost")) {
      int port = FreePorts.next();
      List<String> arguments = files.serverArguments(port);
      try (RedisServer server =
              RedisServer.startOn(version, port, arguments.toArray(String[]::new));
          RedisLimitStore named = tls("localhost", server, files);
          RedisLimitStore other = tls("127.0.0.1", server, files)) {
        Awaitility.await().until(() -> Load.decides(named));
        Awaitility.await().until(() -> !Load.decides(other) && !other.isHealthy());
        assertThat(received.texts).anyMatch(text -> text.contains("127.0.0.1"));
        assertThat(named.isHealthy()).isTrue();
      }
    }
  }

  @Test
  void tls_is_never_downgraded_and_an_unknown_certificate_is_refused() throws IOException {
    try (TlsFiles files = TlsFiles.generate("localhost");
        RedisServer plain = RedisServer.start(version);
        RedisLimitStore towardsPlain = tls("localhost", plain, files)) {
      Awaitility.await().until(() -> !Load.decides(towardsPlain) && !towardsPlain.isHealthy());
      int port = FreePorts.next();
      try (RedisServer server =
              RedisServer.startOn(
                  version, port, files.serverArguments(port).toArray(String[]::new));
          RedisLimitStore distrusting =
              connect(RedisOptions.of("rediss://localhost:" + server.port(), "shop"))) {
        Awaitility.await().until(() -> !Load.decides(distrusting) && !distrusting.isHealthy());
      }
    }
  }

  private RedisLimitStore tls(String host, RedisServer server, TlsFiles files) {
    RedisOptions options =
        RedisOptions.of("rediss://" + host + ":" + server.port(), "shop")
            .withSslContext(files.trust());
    return connect(options);
  }

  private RedisLimitStore connect(RedisOptions options) {
    return RedisLimitStore.connect(options.withDeadline(Duration.ofMillis(500)), received);
  }

  private static void watch(Jedis monitor, List<String> seen) {
    try {
      monitor.monitor(
          new JedisMonitor() {
            @Override
            public void onCommand(String command) {
              seen.add(command);
            }
          });
    } catch (JedisConnectionException ended) {
      // the server is gone, and the test over
    }
  }
}
