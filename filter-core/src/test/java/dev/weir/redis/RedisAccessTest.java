package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/** Credentials, certificates and addresses that are no part of the URI, with real servers. */
class RedisAccessTest extends LoggedStores {

  private static final RedisVersion VERSION = RedisVersion.newest();
  private static final Duration LONG = Duration.ofSeconds(20);

  /** Of a server with the name localhost, and of two clients. Generating them takes seconds. */
  @SuppressWarnings("NullAway.Init") // generated before all tests
  private static TlsFiles server;

  @SuppressWarnings("NullAway.Init") // generated before all tests
  private static TlsFiles client;

  @SuppressWarnings("NullAway.Init") // generated before all tests
  private static TlsFiles nextClient;

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  Path directory;

  @BeforeAll
  static void generate() throws IOException {
    server = TlsFiles.generate("localhost");
    client = TlsFiles.generate("client");
    nextClient = TlsFiles.generate("next-client");
  }

  @AfterAll
  static void delete() throws IOException {
    server.close();
    client.close();
    nextClient.close();
  }

  // ---------------------------------------------------------------- credentials

  @Test
  void user_and_password_are_taken_as_they_are() {
    String password = "p@ss/:?#%41 é";
    try (RedisServer redis = RedisServer.start(VERSION);
        Jedis admin = redis.client()) {
      admin.aclSetUser("weir", "on", ">" + password, "~*", "&*", "+@all");
      RedisAccess access =
          RedisAccess.of()
              .withUser(RedisAccess.text("weir"))
              .withPassword(RedisAccess.text(password));
      try (RedisLimitStore store = connect(redis.uri(), access)) {
        awaitDecisions(store);
        assertThat(admin.clientList()).contains("user=weir");
      }
    }
  }

  @Test
  void a_rotated_password_is_used_once_redis_has_refused_the_former_one() {
    Path file = write("password", "first-password\n");
    RedisAccess access = RedisAccess.of().withPassword(RedisAccess.file(file));
    try (RedisServer redis = RedisServer.start(VERSION, "--requirepass", "first-password");
        RedisLimitStore store = connect(redis.uri(), access)) {
      awaitDecisions(store);
      try (Jedis admin = redis.client()) {
        admin.auth("first-password");
        admin.configSet("requirepass", "second-password");
        disconnectAll(admin);
      }
      await(() -> log.text().contains("WRONGPASS"));
      assertThat(Load.decides(store)).isFalse();

      write("password", "second-password\r\n");
      awaitDecisions(store);
      await(store::isHealthy);
    }
    assertThat(log.text()).doesNotContain("first-password", "second-password");
  }

  @Test
  void a_password_that_was_rotated_before_the_connection_is_lost_causes_no_outage() {
    Path file = write("password", "first-password");
    RedisAccess access = RedisAccess.of().withPassword(RedisAccess.file(file));
    try (RedisServer redis = RedisServer.start(VERSION, "--requirepass", "first-password");
        RedisLimitStore store = connect(redis.uri(), access)) {
      awaitDecisions(store);
      write("password", "second-password");
      try (Jedis admin = redis.client()) {
        admin.auth("first-password");
        admin.configSet("requirepass", "second-password");
        disconnectAll(admin);
      }
      awaitDecisions(store);
    }
    assertThat(log.text()).doesNotContain("WRONGPASS");
  }

  @Test
  void a_supplier_in_code_is_called_for_each_connection() {
    AtomicReference<String> token = new AtomicReference<>("token-1");
    RedisAccess access = RedisAccess.of().withPassword(token::get);
    try (RedisServer redis = RedisServer.start(VERSION, "--requirepass", "token-1");
        RedisLimitStore store = connect(redis.uri(), access);
        Jedis admin = redis.client()) {
      admin.auth("token-1");
      awaitDecisions(store);
      admin.configSet("requirepass", "token-2");
      token.set("token-2");
      disconnectAll(admin);
      awaitDecisions(store);
    }
  }

  @Test
  void a_supplier_in_code_that_fails_is_named_without_its_message() {
    RedisAccess access =
        RedisAccess.of()
            .withPassword(
                () -> {
                  throw new IllegalArgumentException("expired: hidden-token");
                });
    try (RedisServer redis = RedisServer.start(VERSION);
        RedisLimitStore store = connect(redis.uri(), access)) {
      await(
          () ->
              log.text()
                  .contains(
                      "user or password failed: java.lang.IllegalArgumentException at "
                          + getClass().getName()));
      assertThat(Load.decides(store)).isFalse();
    }
    assertThat(log.text()).doesNotContain("hidden-token");
  }

  @Test
  void a_user_may_rotate_with_its_password() {
    Path user = write("user", "token-1");
    Path password = write("password", "pass-1");
    RedisAccess access =
        RedisAccess.of().withUser(RedisAccess.file(user)).withPassword(RedisAccess.file(password));
    try (RedisServer redis = RedisServer.start(VERSION);
        Jedis admin = redis.client()) {
      admin.aclSetUser("token-1", "on", ">pass-1", "~*", "&*", "+@all");
      try (RedisLimitStore store = connect(redis.uri(), access)) {
        awaitDecisions(store);
        admin.aclSetUser("token-2", "on", ">pass-2", "~*", "&*", "+@all");
        write("user", "token-2");
        write("password", "pass-2");
        admin.aclDelUser("token-1"); // disconnects it
        await(() -> Load.decides(store) && admin.clientList().contains("user=token-2"));
      }
    }
  }

  @Test
  void while_its_file_is_missing_the_last_password_is_used_and_a_warning_names_the_file_once()
      throws IOException {
    Path file = write("password", "hidden-password");
    RedisAccess access = RedisAccess.of().withPassword(RedisAccess.file(file));
    try (RedisServer redis = RedisServer.start(VERSION, "--requirepass", "hidden-password");
        RedisLimitStore store = connect(redis.uri(), access);
        Jedis admin = redis.client()) {
      admin.auth("hidden-password");
      awaitDecisions(store);
      Files.delete(file);
      for (int i = 0; i < 3; i++) {
        disconnectAll(admin);
        awaitDecisions(store);
      }
    }
    assertThat(log.records())
        .extracting(record -> Arrays.toString(record.getParameters()))
        .filteredOn(line -> line.startsWith("[redis credentials: "))
        .singleElement()
        .asString()
        .contains("password'", "(expected: a file that exists)", "what was read before");
  }

  @Test
  void sentinels_may_have_another_user() {
    try (RedisServers servers = RedisServers.sentinels(VERSION, 1);
        Jedis primary = servers.get(0).client();
        Jedis sentinel = servers.get(1).client()) {
      primary.aclSetUser("weir", "on", ">weir-hidden", "~*", "&*", "+@all");
      sentinel.aclSetUser("watcher", "on", ">watch-hidden", "~*", "&*", "+@all");
      sentinel.aclSetUser("default", "resetpass", ">another");
      RedisAccess ofServers =
          RedisAccess.of()
              .withUser(RedisAccess.text("weir"))
              .withPassword(RedisAccess.text("weir-hidden"));
      try (RedisLimitStore refused = connect(servers.uri(), ofServers)) {
        await(() -> log.text().contains("sentinel-user and sentinel-password under redis"));
        assertThat(Load.decides(refused)).isFalse();
      }
      RedisAccess access =
          ofServers
              .withSentinelUser(RedisAccess.text("watcher"))
              .withSentinelPassword(RedisAccess.file(write("sentinel", "watch-hidden")));
      try (RedisLimitStore store = connect(servers.uri(), access)) {
        awaitDecisions(store);
        assertThat(primary.clientList()).contains("user=weir");
      }
    }
    assertThat(log.text()).doesNotContain("hidden");
  }

  // ---------------------------------------------------------------- TLS

  @Test
  void a_server_with_a_certificate_of_the_authority_is_trusted_by_name() {
    RedisAccess access = RedisAccess.of().withAuthorities(pem(server, "cert.pem"));
    try (TlsServer redis = tlsServer()) {
      try (RedisLimitStore store = connect("rediss://localhost:" + redis.port(), access)) {
        awaitDecisions(store);
      }
      try (RedisLimitStore store = connect("rediss://127.0.0.1:" + redis.port(), access)) {
        await(() -> log.text().contains("No subject alternative names"));
        assertThat(Load.decides(store)).isFalse();
      }
    }
  }

  @Test
  void without_the_host_check_any_name_will_do_but_not_any_authority() {
    RedisAccess unchecked = RedisAccess.of().withoutHostCheck();
    try (TlsServer redis = tlsServer()) {
      String uri = "rediss://127.0.0.1:" + redis.port();
      try (RedisLimitStore store =
          connect(uri, unchecked.withAuthorities(pem(server, "cert.pem")))) {
        awaitDecisions(store);
      }
      try (RedisLimitStore store =
          connect(uri, unchecked.withAuthorities(pem(client, "cert.pem")))) {
        await(() -> log.text().contains("PKIX path"));
        assertThat(Load.decides(store)).isFalse();
      }
    }
  }

  @Test
  void a_client_certificate_is_shown_and_a_rotated_one_is_used_by_the_next_connection()
      throws IOException {
    Path certificate = copy(client, "cert.pem");
    Path key = copy(client, "key.pem");
    RedisAccess access =
        RedisAccess.of()
            .withAuthorities(pem(server, "cert.pem"))
            .withClientCertificate(certificate)
            .withPrivateKey(key);
    try (TlsServer redis =
            tlsServer(
                "--tls-auth-clients",
                "yes",
                "--tls-ca-cert-file",
                pem(client, "cert.pem").toString());
        RedisLimitStore store = connect("rediss://localhost:" + redis.port(), access);
        Jedis admin = redis.plain().client()) {
      awaitDecisions(store);
      admin.configSet("tls-ca-cert-file", pem(nextClient, "cert.pem").toString());
      disconnectAll(admin);
      await(() -> log.text().contains("is out"));
      assertThat(Load.decides(store)).isFalse();

      copy(nextClient, "cert.pem");
      copy(nextClient, "key.pem");
      awaitDecisions(store);
    }
  }

  @Test
  void a_certificate_that_is_half_rotated_is_used_as_it_was() throws IOException {
    RedisAccess access =
        RedisAccess.of()
            .withAuthorities(pem(server, "cert.pem"))
            .withClientCertificate(copy(client, "cert.pem"))
            .withPrivateKey(copy(client, "key.pem"));
    try (TlsServer redis =
            tlsServer(
                "--tls-auth-clients",
                "yes",
                "--tls-ca-cert-file",
                pem(client, "cert.pem").toString());
        RedisLimitStore store = connect("rediss://localhost:" + redis.port(), access);
        Jedis admin = redis.plain().client()) {
      awaitDecisions(store);
      copy(nextClient, "cert.pem");
      disconnectAll(admin);
      awaitDecisions(store);
      await(
          () -> log.text().contains("(expected: the key of the first certificate in certificate-"));
    }
  }

  @Test
  void a_chain_that_is_none_is_not_used_and_the_one_before_is() throws IOException {
    Path certificate = copy(client, "cert.pem");
    RedisAccess access =
        RedisAccess.of()
            .withAuthorities(pem(server, "cert.pem"))
            .withClientCertificate(certificate)
            .withPrivateKey(pem(client, "key.pem"));
    try (TlsServer redis =
            tlsServer(
                "--tls-auth-clients",
                "yes",
                "--tls-ca-cert-file",
                pem(client, "cert.pem").toString());
        RedisLimitStore store = connect("rediss://localhost:" + redis.port(), access);
        Jedis admin = redis.plain().client()) {
      awaitDecisions(store);
      String pem = Files.readString(certificate);
      write("cert.pem", pem + pem);
      disconnectAll(admin);
      awaitDecisions(store);
      await(() -> log.text().contains("then each that signs the one before, each once)"));
    }
  }

  @Test
  void whatever_fails_in_reading_leaves_what_was_read_before_with_one_warning() {
    Queue<String> values = new ArrayDeque<>(List.of("one"));
    List<String> warnings = new ArrayList<>();
    LastValid<String> value = new LastValid<>(values::remove, warnings::add);
    for (int i = 0; i < 3; i++) {
      assertThat(value.get()).isEqualTo("one");
    }
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("files of Redis: java.util.NoSuchElementException at ")
        .endsWith(": new connections to Redis use what was read before");
    LastValid<String> never = new LastValid<>(values::remove, warnings::add);
    assertThatThrownBy(never::get).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void a_server_that_requires_a_certificate_names_the_key_for_it() {
    RedisAccess access = RedisAccess.of().withAuthorities(pem(server, "cert.pem"));
    try (TlsServer redis = tlsServer("--tls-auth-clients", "yes");
        RedisLimitStore store = connect("rediss://localhost:" + redis.port(), access)) {
      await(
          () ->
              log.text().contains("certificate-file")
                  && log.text().contains("an SSLContext if redis names no files"));
      assertThat(Load.decides(store)).isFalse();
    }
  }

  // ---------------------------------------------------------------- values

  @Test
  void what_is_shown_has_no_credentials() {
    RedisOptions options =
        RedisOptions.of("rediss-sentinel://cache/main", "shop")
            .withAccess(
                RedisAccess.of()
                    .withUser(RedisAccess.text("hidden-user"))
                    .withPassword(RedisAccess.text("hidden"))
                    .withSentinelPassword(RedisAccess.file(write("file", "hidden")))
                    .withAuthorities(pem(server, "cert.pem"))
                    .withClientCertificate(pem(client, "cert.pem"))
                    .withPrivateKey(pem(client, "key.pem"))
                    .withoutHostCheck()
                    .withAddresses(Map.of("a:1", "b:2")));
    assertThat(options.toString())
        .contains(
            "with own credentials, credentials of sentinels, authorities in ",
            ", client certificate in ",
            ", any host in a certificate, 1 mapped addresses")
        .doesNotContain("hidden");
    assertThat(RedisAccess.text("hidden").toString()).doesNotContain("hidden");
    assertThat(RedisAccess.file(write("file", "hidden")).toString()).doesNotContain("hidden");
  }

  @Test
  void two_are_equal_by_their_texts_and_files_whatever_is_in_the_files() {
    Supplier<RedisAccess> access =
        () ->
            RedisAccess.of()
                .withUser(RedisAccess.text("weir"))
                .withPassword(RedisAccess.file(directory.resolve("password")));
    write("password", "one");
    RedisAccess before = access.get();
    write("password", "two");
    assertThat(access.get()).isEqualTo(before).hasSameHashCodeAs(before);
    assertThat(before.withPassword(RedisAccess.text("one"))).isNotEqualTo(before);
    assertThat(before.withUser(RedisAccess.text("other"))).isNotEqualTo(before);
    RedisOptions options = RedisOptions.of("redis://cache", "shop");
    assertThat(options.withAccess(before)).isNotEqualTo(options);
  }

  @Test
  void files_of_tls_and_an_ssl_context_are_not_mixed() {
    RedisAccess access = RedisAccess.of().withAuthorities(pem(server, "cert.pem"));
    RedisOptions options = RedisOptions.of("rediss://cache", "shop");
    assertThatThrownBy(() -> options.withSslContext(server.trust()).withAccess(access))
        .hasMessage("redis.sslContext: an SSLContext and files (expected: one of both)");
    assertThatThrownBy(() -> options.withAccess(access).withSslContext(server.trust()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(options.withSslContext(server.trust()).withAccess(RedisAccess.of())).isNotNull();
  }

  // ---------------------------------------------------------------- helpers

  /** A server that also has a port without TLS, for an administrator. */
  private record TlsServer(RedisServer plain, int port) implements AutoCloseable {

    @Override
    public void close() {
      plain.close();
    }
  }

  private static TlsServer tlsServer(String... more) {
    int port = FreePorts.next();
    List<String> arguments = new ArrayList<>(server.tlsArguments(port));
    arguments.addAll(List.of(more));
    return new TlsServer(RedisServer.start(VERSION, arguments.toArray(String[]::new)), port);
  }

  private static RedisLimitStore connect(String uri, RedisAccess access) {
    return connect(RedisOptions.of(uri, "access").withAccess(access));
  }

  private static void disconnectAll(Jedis admin) {
    admin.clientKill(
        ClientKillParams.clientKillParams()
            .type(ClientType.NORMAL)
            .skipMe(ClientKillParams.SkipMe.YES));
  }

  private static void awaitDecisions(RedisLimitStore store) {
    await(() -> Load.decides(store));
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(LONG).until(condition);
  }

  private static Path pem(TlsFiles files, String name) {
    return files.directory().resolve(name);
  }

  /** Puts a file in the place of one of this name, at once, as tools that rotate files do. */
  private Path copy(TlsFiles files, String name) throws IOException {
    Path next = directory.resolve(name + ".next");
    Files.copy(pem(files, name), next, StandardCopyOption.REPLACE_EXISTING);
    return Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
