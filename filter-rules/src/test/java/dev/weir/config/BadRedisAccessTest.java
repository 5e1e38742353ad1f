package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.document.Variables;
import dev.weir.fixture.TemporaryFiles;
import dev.weir.redis.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Credentials, certificates and addresses of Redis that are wrong. No message shows a secret. */
class BadRedisAccessTest {

  private static final String SECRET = "hunter2";
  private static final String HIDDEN = "a text that is not shown, since it may be a secret";
  private static final Variables ENVIRONMENT = FakeVariables.of(Map.of("PASS", SECRET), Map.of());
  private static final String PKCS8 =
      "'openssl pkcs8 -topk8 -nocrypt -in old.pem -out new.pem' writes it";
  private static final String TLS = "a URI that starts with rediss";

  private static final Path FILES = directory();
  private static final TlsFiles OWN = generate();
  private static final TlsFiles OTHER = generate();

  @AfterAll
  static void delete() throws IOException {
    TemporaryFiles.delete(FILES);
    OWN.close();
    OTHER.close();
  }

  @ParameterizedTest
  @MethodSource({"credentials", "sentinels", "certificates", "keys", "addresses", "names"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(ENVIRONMENT);
  }

  static Stream<BadCase> credentials() {
    return Stream.of(
        redis("user: »weir", "user", "a user without a password", "password or password-file, too"),
        redis("password: »''", "password", "nothing", "named by 'password-file'"),
        redis("password: »[hunter2]", "password", "a list", "named by 'password-file'"),
        redis("password: »{ file: hunter2 }", "password", "a map", "named by 'password-file'"),
        redis("password: »" + empty(), "password", "the path of a file", "'password-file'"),
        redis("password-file: »hunter2", "password-file", HIDDEN, "a file that exists"),
        redis("password-file: »\"${PASS}\"", "password-file", HIDDEN, "a file that exists"),
        redis("password-file: »/hunter2/a", "password-file", HIDDEN, "a file that exists"),
        redis("password-file: »./absent", "password-file", "'./absent'", "a file that exists"),
        redis(
            "password-file: »" + FILES,
            "password-file",
            quoted(FILES),
            "a file, not a directory or a device"),
        redis("password-file: »[/a]", "password-file", "a list", "the path of a file"),
        redis(
            "password-file: »" + empty(),
            "password-file",
            quoted(empty()),
            "a file that is not empty"),
        redis(
            "password-file: »" + lines(),
            "password-file",
            quoted(lines()),
            "a file of one line, without control characters and byte order mark"),
        redis(
            "password-file: »" + utf16(),
            "password-file",
            quoted(utf16()),
            "text encoded in UTF-8"),
        redis(
            "user: weir, password: hunter2, password-file: »" + line(),
            "password-file",
            "password-file together with password",
            "only one of password, password-file"),
        uri(
            "redis://weir:hunter2@cache",
            "user: weir, password: »hunter2",
            "password",
            "credentials here and in the URI",
            "them in one of both places"),
        uri(
            "redis://:hunter2@cache",
            "user: »weir",
            "user",
            "credentials here and in the URI",
            "them in one of both places"));
  }

  static Stream<BadCase> sentinels() {
    return Stream.of(
        redis(
            "sentinel-password: »hunter2",
            "sentinel-password",
            "credentials of sentinels, without sentinels",
            "a URI that starts with redis-sentinel"),
        uri(
            "redis-cluster://cache",
            "sentinel-user: watcher, sentinel-password-file: »" + line(),
            "sentinel-password-file",
            "credentials of sentinels, without sentinels",
            "a URI that starts with redis-sentinel"),
        uri(
            "redis-sentinel://cache/main",
            "sentinel-user: »watcher",
            "sentinel-user",
            "a user without a password",
            "sentinel-password or sentinel-password-file, too"));
  }

  static Stream<BadCase> certificates() {
    return Stream.of(
        tls("ca-file: »/no/ca.pem", "ca-file", "'/no/ca.pem'", "a file that exists"),
        tls("ca-file: »ca.pem", "ca-file", "'ca.pem'", "a file that exists"),
        tls("ca-file: »" + empty(), "ca-file", quoted(empty()), "a certificate in PEM"),
        tls("ca-file: »" + key(), "ca-file", quoted(key()), "begins with -----BEGIN CERTIFICATE"),
        tls("ca-file: »" + broken(), "ca-file", quoted(broken()), "certificates in X.509"),
        tls("ca-file: »" + cut(), "ca-file", quoted(cut()), "each from its BEGIN line to its END"),
        tls(
            "certificate-file: »" + twice() + ", private-key-file: " + key(),
            "certificate-file",
            quoted(twice()),
            "the client's certificate, then each that signs the one before, each once"),
        tls(
            "ca-file: »\"-----BEGIN CERTIFICATE-----\\nMIIB\"",
            "ca-file",
            HIDDEN,
            "a file that exists"),
        tls(
            "certificate-file: »" + certificate(),
            "certificate-file",
            "a certificate without its key",
            "private-key-file, too"),
        tls(
            "private-key-file: »" + key(),
            "private-key-file",
            "a key without its certificate",
            "certificate-file, too"),
        redis("ca-file: »" + certificate(), "ca-file", "a setting of TLS, without TLS", TLS),
        redis("verify-host: »off", "verify-host", "a setting of TLS, without TLS", TLS),
        tls("verify-host: »no", "verify-host", "'no'", "on, off").suggests("off"));
  }

  static Stream<BadCase> keys() {
    return Stream.of(
        pair(file("encrypted.pem", pem("ENCRYPTED PRIVATE KEY")), "a key without a pass phrase"),
        pair(
            file(
                "old.pem",
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\nMIIB\n"),
            "a key without a pass phrase, as " + PKCS8),
        pair(file("rsa.pem", pem("RSA PRIVATE KEY")), "a key in PKCS#8, as " + PKCS8),
        pair(
            file("ec.pem", pem("EC PARAMETERS") + pem("EC PRIVATE KEY")),
            "a key in PKCS#8, as " + PKCS8),
        pair(
            file("cut.key", "-----BEGIN PRIVATE KEY-----\nMIIB\n"), "a whole key in PEM, from its"),
        pair(file("nonsense.pem", pem("PRIVATE KEY")), "a key of RSA, EC or EdDSA in PKCS#8"),
        pair(certificate(), "a private key in PEM, which begins with -----BEGIN PRIVATE KEY-----"),
        pair(
            OTHER.directory().resolve("key.pem"),
            "the key of the first certificate in certificate-file"),
        tls(
            "certificate-file: " + certificate() + ", private-key-file: »hunter2",
            "private-key-file",
            HIDDEN,
            "a file that exists"));
  }

  static Stream<BadCase> addresses() {
    String port = "an address with its port, as in 10.0.0.5:6379";
    return Stream.of(
        cluster("»10.0.0.5:6379", "addresses", "'10.0.0.5:6379'", "two addresses, as in"),
        cluster("»[]", "addresses", "an empty list", "a map from the address"),
        cluster("{ \"10.0.0.5:6379\": »cache }", "addresses.10.0.0.5:6379", "'cache'", port),
        cluster("{ 10.0.0.5: »cache:1 }", "addresses.10.0.0.5", "'10.0.0.5'", port),
        cluster("{ \"a:1\": »\"b:99999\" }", "addresses.a:1", "'b:99999'", "a port from 1 to"),
        cluster("{ \"a:1\": »[b] }", "addresses.a:1", "a list", "a host and its port, as in"),
        cluster("{ \"fd00::5:1\": »\"b:2\" }", "addresses.fd00::5:1", "'fd00::5:1'", "brackets"),
        cluster(
            "»{ \"a:1\": \"c:1\", \"b:1\": \"c:1\" }",
            "addresses",
            "two servers at one address",
            "one for each server"),
        redis(
            "addresses: »{ \"a:1\": \"b:1\" }",
            "addresses",
            "addresses that no server announces",
            "a URI that starts with redis-cluster or redis-sentinel"));
  }

  static Stream<BadCase> names() {
    return Stream.of(
        redis("»ca: /ca.pem", "ca", "'ca'", "ca-file, with the path"),
        redis("»key: /key.pem", "key", "'key'", "private-key-file, with the path"),
        redis("»passwort-file: /a", "passwort-file", "'passwort-file'", "one of uri, deadline")
            .suggests("password-file"),
        redis("»verify_host: off", "verify_host", "'verify_host'", "one of uri")
            .suggests("verify-host"));
  }

  /** A URI that is wrong hides none of the others. */
  @Test
  void all_problems_are_reported_at_once() {
    String yaml =
        """
        application: shop
        redis:
          uri: redis://weir:hunter2@cache:port
          password-file: /no/password
          ca-file: /no/ca.pem
          certificate-file: /no/client.pem
          private-key-file: %s
          verify-host: nope
          addresses: { a: "b:1", "c:1": "d" }
        """
            .formatted(broken());
    List<Problem> problems = Complaints.of(() -> Weirs.settings(yaml));
    assertThat(problems)
        .extracting(problem -> problem.line() + " " + problem.field())
        .containsExactlyInAnyOrder(
            "3 redis.uri",
            "4 redis.password-file",
            "5 redis.ca-file",
            "6 redis.certificate-file",
            "7 redis.private-key-file",
            "8 redis.verify-host",
            "9 redis.addresses.a",
            "9 redis.addresses.c:1");
    assertThat(problems.toString()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "password-file | /tmp/absent    | '/tmp/absent'             | a file that exists",
        "password-file | hunter2        | a text that is not shown, since it may be a secret | exists",
        "user          | weir           | a user without a password | password-file, too",
        "verify-host   | off            | a setting of TLS, without TLS | starts with rediss",
        "addresses     | a:1=b:1        | addresses that no server announces | redis-cluster"
      })
  void an_init_param_is_refused_alike(String param, String value, String found, String expected) {
    Map<String, String> params =
        Map.of("limit", "5/s", "application", "shop", "redis", "redis://cache", param, value);
    Problem problem = Complaints.only(() -> Weirs.settings(params));
    assertThat(problem.field()).isEqualTo("init-param '" + param + "'");
    assertThat(problem.found()).isEqualTo(found);
    assertThat(problem.expected()).contains(expected);
  }

  // ---------------------------------------------------------------- cases

  private static BadCase redis(String body, String field, String found, String expected) {
    return uri("redis://cache", body, field, found, expected);
  }

  private static BadCase tls(String body, String field, String found, String expected) {
    return uri("rediss://cache", body, field, found, expected);
  }

  private static BadCase cluster(String body, String field, String found, String expected) {
    return uri("redis-cluster://cache", "addresses: " + body, field, found, expected);
  }

  private static BadCase pair(Path key, String expected) {
    String body = "certificate-file: " + certificate() + ", private-key-file: »" + key;
    return tls(body, "private-key-file", quoted(key), expected);
  }

  private static BadCase uri(String uri, String body, String field, String found, String expected) {
    String yaml = "application: a\nredis: { uri: '" + uri + "', " + body + " }";
    return bad(yaml, "redis." + field, found, expected);
  }

  // ---------------------------------------------------------------- files

  private static Path certificate() {
    return OWN.directory().resolve("cert.pem");
  }

  private static Path key() {
    return OWN.directory().resolve("key.pem");
  }

  private static Path empty() {
    return file("empty", "\n");
  }

  private static Path line() {
    return file("line", "hunter2\n");
  }

  private static Path lines() {
    return file("lines", "hunter2\nhunter3\n");
  }

  private static Path utf16() {
    return written("utf16", new byte[] {(byte) 0xFF, (byte) 0xFE, 'a', 0});
  }

  private static Path broken() {
    return file("broken.pem", pem("CERTIFICATE"));
  }

  /** A file with one certificate, and the beginning of another. */
  private static Path cut() {
    return file("cut.pem", text(certificate()) + "-----BEGIN CERTIFICATE-----\nMIIB\n");
  }

  private static Path twice() {
    return file("twice.pem", text(certificate()).repeat(2));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String pem(String type) {
    return "-----BEGIN " + type + "-----\nMIIB\n-----END " + type + "-----\n";
  }

  private static String quoted(Path file) {
    return "'" + file + "'";
  }

  private static Path file(String name, String text) {
    return written(name, text.getBytes(UTF_8));
  }

  private static Path written(String name, byte[] content) {
    try {
      return Files.write(FILES.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("weir");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TlsFiles generate() {
    try {
      return TlsFiles.ofThisMachine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
