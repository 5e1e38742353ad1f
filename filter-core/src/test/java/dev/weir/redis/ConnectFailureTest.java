package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.FreePorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The log names the reason for which no connection can be made, and the cure. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class ConnectFailureTest extends LoggedStores {

  private static final String PASSWORD_EXPECTED = "(expected: user:password@ or :password@";

  @Parameter RedisVersion version = RedisVersion.embedded();

  /** For a host of the name localhost. Generating it takes a second. */
  @SuppressWarnings("NullAway.Init") // generated before all tests
  private static TlsFiles files;

  @BeforeAll
  static void generate() throws IOException {
    files = TlsFiles.generate("localhost");
  }

  @AfterAll
  static void delete() throws IOException {
    files.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "redis-cluster"})
  void a_missing_password_is_named(String scheme) {
    try (RedisServer server = RedisServer.start(version, "--requirepass", "secret")) {
      assertNamed(scheme + "://127.0.0.1:" + server.port(), "NOAUTH", PASSWORD_EXPECTED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "redis-cluster"})
  void a_wrong_password_is_named(String scheme) {
    try (RedisServer server = RedisServer.start(version, "--requirepass", "secret")) {
      assertNamed(
          scheme + "://:wrong@127.0.0.1:" + server.port(),
          "WRONGPASS",
          "(expected: the user and password that this server knows, in redis.uri, or under redis");
    }
  }

  @Test
  void a_password_that_no_one_has_asked_for_is_named() {
    try (RedisServer server = RedisServer.start(version)) {
      assertNamed(
          "redis://:wrong@127.0.0.1:" + server.port(),
          "without any password configured",
          "(expected: no password in redis.uri");
    }
  }

  @Test
  void a_database_that_the_server_lacks_is_named() {
    try (RedisServer server = RedisServer.start(version, "--databases", "2")) {
      assertNamed(server.uri() + "/7", "DB index is out of range", "(expected: a database");
    }
  }

  @Test
  void a_cluster_that_is_none_is_named() {
    try (RedisServer server = RedisServer.start(version)) {
      assertNamed(
          "redis-cluster://127.0.0.1:" + server.port(),
          "cluster support disabled",
          "(expected: redis:// in redis.uri");
    }
  }

  @Test
  void a_sentinel_that_is_none_is_named() {
    try (RedisServer server = RedisServer.start(version)) {
      assertNamed(
          "redis-sentinel://127.0.0.1:" + server.port() + "/main",
          "unknown command",
          "(expected: the addresses of sentinels in redis.uri");
    }
  }

  @Test
  void sentinels_that_refuse_the_password_are_named() {
    try (RedisServers servers = RedisServers.sentinels(version, 1)) {
      int sentinel = servers.get(1).port();
      requirePassword(servers.get(1));
      assertNamed(
          "redis-sentinel://:other@127.0.0.1:" + sentinel + "/main",
          "replied by sentinel 127.0.0.1:" + sentinel,
          "WRONGPASS");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void a_missing_client_certificate_is_named(String protocol) {
    try (RedisServer server = tls("--tls-auth-clients", "yes", "--tls-protocols", protocol)) {
      RedisOptions options =
          RedisOptions.of("rediss://localhost:" + server.port(), "shop")
              .withSslContext(files.trust());
      assertNamed(options, "localhost:" + server.port(), "(expected: a client certificate");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rediss", "rediss-cluster"})
  void a_certificate_that_is_not_trusted_is_named(String scheme) {
    try (RedisServer server = tls()) {
      assertNamed(
          scheme + "://localhost:" + server.port(),
          "PKIX path",
          "(expected: a certificate that this JVM trusts");
    }
  }

  @Test
  void a_certificate_for_another_host_is_named() {
    try (RedisServer server = tls()) {
      RedisOptions options =
          RedisOptions.of("rediss://127.0.0.1:" + server.port(), "shop")
              .withSslContext(files.trust());
      assertNamed(options, "127.0.0.1", "(expected: the host of redis.uri in the certificate");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "redis-cluster"})
  void a_port_that_requires_tls_is_named(String scheme) {
    try (RedisServer server = tls()) {
      assertNamed(
          scheme + "://:secret@localhost:" + server.port(),
          "before its first reply",
          "(expected: a URI that starts with rediss if");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rediss", "rediss-cluster"})
  void a_port_without_tls_is_named(String scheme) {
    try (RedisServer server = RedisServer.start(version)) {
      assertNamed(
          scheme + "://localhost:" + server.port(),
          "TLS handshake",
          "(expected: a URI that starts with redis, without s, if");
    }
  }

  /** The first line says that Redis does not respond, since nothing else is known then. */
  @ParameterizedTest
  @ValueSource(strings = {"redis", "redis-cluster"})
  void a_reason_that_is_found_after_a_time_out_is_named_once(String scheme) {
    try (RedisServer server = RedisServer.start(version, "--requirepass", "secret")) {
      server.freeze();
      String uri = scheme + "://127.0.0.1:" + server.port();
      try (RedisLimitStore store = connect(RedisOptions.of(uri, "shop"))) {
        Awaitility.await().until(() -> log.text().contains("is out"));
        assertThat(log.text()).doesNotContain("NOAUTH");
        server.thaw();
        Awaitility.await().until(() -> log.text().contains(PASSWORD_EXPECTED));
        assertThat(Load.decides(store)).isFalse();
      }
    }
    assertThat(log.records()).hasSize(2);
  }

  /** For example, a provider of TLS with a defect, or a class that is missing. */
  @ParameterizedTest
  @ValueSource(strings = {"rediss", "rediss-cluster", "rediss-sentinel"})
  void an_unexpected_exception_is_an_outage_and_in_the_log_with_its_stack_once(String scheme) {
    try (RedisServer server = RedisServer.start(version)) {
      String uri = scheme + "://127.0.0.1:" + server.port() + (scheme.endsWith("nel") ? "/m" : "");
      RedisOptions options = RedisOptions.of(uri, "shop").withSslContext(new FailingContext());
      try (RedisLimitStore store = connect(options)) {
        Awaitility.await().until(() -> log.text().contains("is out"));
        assertThat(Load.decides(store)).isFalse();
        assertThat(store.isHealthy()).isFalse();
        assertThat(log.records())
            .filteredOn(record -> record.getLevel().equals(Level.SEVERE))
            .singleElement()
            .satisfies(
                record ->
                    assertThat(record.getThrown())
                        .isInstanceOf(NoClassDefFoundError.class)
                        .hasMessage("planted"));
      }
    }
  }

  private void assertNamed(String uri, String reason, String cure) {
    assertNamed(RedisOptions.of(uri, "shop"), reason, cure);
  }

  /** More than one reason may be found, but the last line has the cure. */
  private void assertNamed(RedisOptions options, String reason, String cure) {
    try (RedisLimitStore store = connect(options)) {
      Awaitility.await().untilAsserted(() -> assertThat(log.text()).contains(reason, cure));
      assertThat(Load.decides(store)).isFalse();
    }
    assertThat(log.text()).doesNotContain("secret", "wrong@", "other");
  }

  private RedisServer tls(String... more) {
    int port = FreePorts.next();
    List<String> arguments = new ArrayList<>(files.serverArguments(port));
    arguments.addAll(List.of(more));
    return RedisServer.startOn(version, port, arguments.toArray(String[]::new));
  }

  private static void requirePassword(RedisServer sentinel) {
    try (var client = sentinel.client()) {
      client.aclSetUser("default", ">sentinels-own");
      client.aclSetUser("default", "resetpass", ">sentinels-own");
    }
  }
}
