package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.FreePorts;
import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.redis.TlsFiles;
import dev.weir.store.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/**
 * A Redis with its own authority, client certificates and a password, by a file and init-params.
 */
class RedisAccessFileTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private TlsFiles tls;

  @SuppressWarnings("NullAway.Init") // before each test
  private RedisServer redis;

  private final int port = FreePorts.next();

  @BeforeEach
  void start() throws IOException {
    tls = TlsFiles.ofThisMachine();
    List<String> arguments = new ArrayList<>(tls.tlsArguments(port));
    arguments.addAll(List.of("--tls-auth-clients", "yes", "--requirepass", "hidden-1"));
    redis = RedisServer.start(RedisVersion.newest(), arguments.toArray(String[]::new));
    Files.writeString(directory.resolve("password"), "hidden-1\n");
  }

  @AfterEach
  void stop() throws IOException {
    redis.close();
    tls.close();
  }

  @Test
  void a_password_that_rotates_is_read_again_from_the_file_that_the_configuration_names()
      throws IOException {
    String yaml =
        """
        application: shop
        redis:
          uri: valkeys://localhost:%d
          password-file: %s
          ca-file: %s
          certificate-file: %s
          private-key-file: %s
        rules: [{ name: all, match: /**, limits: 100000 per hour }]
        """
            .formatted(port, password(), pem("cert.pem"), pem("cert.pem"), pem("key.pem"));
    try (LogCapture log = new LogCapture("dev.weir");
        Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      awaitRedis(weir);
      rotate("hidden-2");
      await()
          .atMost(SOON)
          .until(
              () -> {
                weir.limiter().limit(FakeRequest.get("/a"));
                return weir.status().store() == Source.LOCAL;
              });
      Files.writeString(password(), "hidden-2\n");
      awaitRedis(weir);
      assertThat(weir.status().toString()).doesNotContain("hidden");
      assertThat(log.text()).contains("WRONGPASS").doesNotContain("hidden");
    }
  }

  @Test
  void init_params_have_the_same_names() {
    Map<String, String> params =
        Map.of(
            "limit",
            "100000 per hour",
            "application",
            "shop",
            "redis",
            "rediss://127.0.0.1:" + port,
            "password",
            "hidden-1",
            "ca-file",
            pem("cert.pem").toString(),
            "certificate-file",
            pem("cert.pem").toString(),
            "private-key-file",
            pem("key.pem").toString(),
            "verify-host",
            "on");
    try (Weir weir = Weir.open(Weirs.initParams(Weirs.application(), params))) {
      awaitRedis(weir);
    }
  }

  @Test
  void addresses_of_init_params_are_pairs() {
    Map<String, String> params =
        Map.of(
            "limit", "5/s",
            "application", "shop",
            "redis", "redis-cluster://cache",
            "addresses", "10.0.0.5:6379=redis.example:7001, [fd00::5]:6379 = redis.example:7002");
    String options = Weirs.settings(params).counting().redis().orElseThrow().toString();
    assertThat(options).endsWith("with 2 mapped addresses");
  }

  @Test
  void a_reload_takes_other_content_of_the_files_and_no_other_files_or_passwords()
      throws IOException {
    String yaml =
        "application: shop\nredis: { uri: redis://127.0.0.1:1, %s }\nnodes: 2\n"
            + LiveConfiguration.THREE;
    String file = yaml.formatted("password-file: " + password());
    LiveFile live = new LiveFile(directory, file);
    try (Weir weir = live.open()) {
      Files.writeString(password(), "hidden-2");
      live.change(file.replace("nodes: 2", "nodes: 3"));
      assertThat(LiveConfiguration.problem(weir)).isEmpty();

      Files.writeString(directory.resolve("other"), "hidden-2");
      live.change(yaml.formatted("password-file: " + directory.resolve("other")));
      assertThat(LiveConfiguration.problem(weir))
          .contains(": redis: another one")
          .doesNotContain("hidden");

      live.change(yaml.formatted("password: hidden-2"));
      assertThat(LiveConfiguration.problem(weir))
          .contains(": redis: another one")
          .doesNotContain("hidden");
    }
  }

  private void rotate(String next) {
    try (Jedis admin = redis.client()) {
      admin.auth("hidden-1");
      admin.configSet("requirepass", next);
      admin.clientKill(
          ClientKillParams.clientKillParams()
              .type(ClientType.NORMAL)
              .skipMe(ClientKillParams.SkipMe.YES));
    }
  }

  private static void awaitRedis(Weir weir) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              weir.limiter().limit(FakeRequest.get("/a"));
              assertThat(weir.status().store()).isEqualTo(Source.REDIS);
              assertThat(weir.status().decisions())
                  .extracting(RequestCounts.Decisions::source)
                  .contains(Optional.of(Source.REDIS));
            });
  }

  private Path password() {
    return directory.resolve("password");
  }

  private Path pem(String name) {
    return tls.directory().resolve(name);
  }
}
