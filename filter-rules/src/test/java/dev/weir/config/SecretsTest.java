package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.document.ConfigDocument.InitParams;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret of the configuration is in no message, log or text. */
class SecretsTest {

  private static final String SECRET = "s3cr3t";
  private static final Variables ENVIRONMENT =
      FakeVariables.of(
          Map.of("PASSWORD", SECRET, "URI", "redis://user:" + SECRET + "@cache:0"), Map.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis: redis://user:s3cr3t@cache:0",
        "redis: redis://:s3cr3t/@cache",
        "redis: redis:/:s3cr3t@cache",
        "redis: user:s3cr3t@cache",
        "redis: s3cr3t@cache",
        "redis: redis://cache/s3cr3t",
        "redis: redis://cache:6379/s3cr3t/0",
        "redis: redis://cache/0/s3cr3t",
        "redis: redis-cluster://a,b/s3cr3t",
        "redis: redis-sentinel://a,b/main/s3cr3t",
        "redis: redis-sentinel://a,b/main/0/s3cr3t",
        "redis: { uri: redis://cache, secret: 0123, s3cr3t }",
        "redis: { uri: redis://cache, secret: '0123456789abcdef', s3cr3t }",
        "redis: { s3cr3t }",
        "rules: [{ name: r, match: /**, deny: { s3cr3t } }]",
        "redis: redis://cache?password=s3cr3t",
        "redis: \"redis://:s3cr3t\\n@cache\"",
        "redis: redis://:${PASSWORD}@cache:x",
        "redis: ${URI}",
        "redis: { uri: \"${URI}\" }",
        "redis: { uri: \"redis://:s3cr3t${\" }",
        "redis: { uri: redis://cache, secret: [s3cr3t] }",
        "redis: { uri: redis://cache, secret: { a: s3cr3t } }",
        "redis: { uri: redis://cache, secret: \"s3cr3t${\" }",
        "redis: { uri: redis://cache, secret: \"s3cr3t${ABSENT}\" }",
        "redis: { uri: redis://cache, secrt: s3cr3t }",
        "redis: { uri: redis://cache, secret: s3cr3t",
        "redis: { uri: redis://cache, secret: 's3cr3t }",
        "redis:\n  secret: s3cr3t\n uri: redis://cache",
        "redis:\n  secret: s3cr3t\n  secret: s3cr3t\n  uri: redis://cache",
        "secret: s3cr3t",
        "redis: { uri: redis://cache, secret: *s3cr3t }",
        "redis: { uri: redis://cache, secret: !s3cr3t }",
        "redis: { redis://weir:s3cr3t@cache:6380 }",
        "redis: { \"redis://:s3cr3t@a\": 1, \"redis://:s3cr3t@a\": 2 }",
        "redis: { uri: redis://cache, password: [s3cr3t] }",
        "redis: { uri: redis://cache, password: { file: s3cr3t } }",
        "redis: { uri: redis://cache, password: 0123, s3cr3t }",
        "redis: { uri: redis://cache, password: \"s3cr3t${ABSENT}\" }",
        "redis: { uri: redis://cache, password: 's3cr3t }",
        "redis: { uri: redis://cache, passwrd: s3cr3t }",
        "redis: { uri: redis://u:p@cache, password: s3cr3t }",
        "redis: { uri: redis://u:s3cr3t@cache, user: u }",
        "redis: { uri: redis://cache:0, user: u, password: s3cr3t }",
        "redis: { uri: redis://cache, sentinel-password: s3cr3t }",
        "redis: { uri: redis://cache, password-file: s3cr3t }",
        "redis: { uri: redis://cache, password-file: /s3cr3t/a= }",
        "redis: { uri: redis://cache, password-file: \"${PASSWORD}\" }",
        "redis: { uri: rediss://cache, private-key-file: s3cr3t }",
        "redis: { uri: rediss://cache, ca-file: '-----BEGIN PRIVATE KEY----- s3cr3t' }",
        "redis: { uri: redis://cache, addresses: redis://u:s3cr3t@cache }",
      })
  void no_problem_shows_it(String yaml) {
    List<Problem> problems =
        Complaints.of(() -> Weirs.settings("application: shop\n" + yaml + "\n", ENVIRONMENT));
    assertThat(problems).isNotEmpty();
    assertThat(problems.toString()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nodes",
        "max-counters",
        "on-outage",
        "listener",
        "application",
        "delays",
        "reload",
        "client-address",
        "responses",
        "overload",
        "tiers",
        "limits",
        "rules"
      })
  void no_problem_shows_a_uri_in_a_wrong_field(String field) {
    assertHidden(field + ": %s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis: { uri: redis://cache, deadline: %s }",
        "redis: { uri: redis://cache, clock: %s }",
        "redis: { uri: redis://cache, deny-cache: %s }",
        "client-address: { trusted-proxies: %s }",
        "client-address: { trusted-proxies: 10.0.0.0/8, header: %s }",
        "client-address: { ipv6-prefix: %s }",
        "responses: { denied: %s }",
        "overload: { in-flight: { start: %s } }",
        "overload: { reserved: { r: %s } }",
        "limits: { a: %s }",
        "limits: { a: { token-bucket: %s } }",
        "limits: { %s: 1/s }",
        "tiers: { %s: { roles: { a: b }, otherwise: c } }\nrules: [{ name: r, match: /**, tier: d }]",
        "rules: [{ name: %s, match: /**, limits: 1/s }]",
        "rules: [{ name: r, match: %s, limits: 1/s }]",
        "rules: [{ name: r, match: /**, except: %s, limits: 1/s }]",
        "rules: [{ name: r, match: /**, subject: %s, limits: 1/s }]",
        "rules: [{ name: r, match: /**, limits: %s }]",
        "rules: [{ name: r, match: /**, limits: 1/s, cost: %s }]",
        "rules: [{ name: r, match: /**, limits: 1/s, count: %s }]",
        "rules: [{ name: r, match: /**, limits: 1/s, on-denial: %s }]",
        "rules: [{ name: r, match: /**, limits: 1/s, on-denial: degrade to %s }]",
        "rules: [{ name: r, match: /**, limits: 1/s, deny: %s }]",
        "rules: [{ name: r, match: /**, limits: 1/s, allow: { key: header:X, file: %s } }]",
      })
  void nor_within_a_section(String yaml) {
    assertHidden(yaml);
  }

  /** As it is written, as a variable, without its scheme, and longer than a message. */
  private static void assertHidden(String yaml) {
    for (String uri :
        List.of(
            "'redis://user:s3cr3t@cache'",
            "'${URI}'",
            "'user:s3cr3t@cache'",
            "'redis-cluster://user:s3cr3t" + "x".repeat(300) + "@cache'")) {
      List<Problem> problems =
          Complaints.of(
              () -> Weirs.settings("application: shop\n" + yaml.formatted(uri), ENVIRONMENT));
      if (!yaml.startsWith("application")) {
        assertThat(problems).as(yaml).isNotEmpty();
      }
      assertThat(problems.toString()).as(yaml).doesNotContain(SECRET);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis",
        "secret",
        "secrt",
        "Secret",
        "nodes",
        "name",
        "password",
        "password-file",
        "user",
        "sentinel-password",
        "ca-file",
        "private-key-file",
        "addresses"
      })
  void no_problem_of_init_params_shows_it(String param) {
    Map<String, String> params =
        Map.of("limit", "no limit", "application", "shop", param, "redis://:" + SECRET + "@c:0");
    assertThat(Complaints.of(() -> Weirs.settings(params)).toString()).doesNotContain(SECRET);
    assertThat(Weirs.initParams(Weirs.application(), params).toString()).doesNotContain(SECRET);
    assertThat(new InitParams("limits", params).toString()).doesNotContain(SECRET);
  }

  @Test
  void no_part_of_a_document_shows_it() {
    Node mapping = Node.ofEntries(List.of(Node.Entry.of("redis", Node.of(SECRET))));
    Reading reading = Reading.ofFile("weir.yaml", FakeVariables.EMPTY, getClass().getClassLoader());
    assertThat(new Value(reading, "redis", mapping).toString()).doesNotContain(SECRET);
  }

  @Test
  void neither_log_nor_status_shows_it() {
    List<String> lines = new ArrayList<>();
    Handler handler = handler(lines);
    Logger logger = Logger.getLogger("dev.weir");
    logger.addHandler(handler);
    String yaml =
        """
        application: shop
        redis: { uri: "redis://user:s3cr3t@127.0.0.1:1", secret: s3cr3t-of-keys-32 }
        limits: { a: 1/s }
        rules: [{ name: r, match: /**, limits: a }]
        """;
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(weir.status().toString() + weir.rules()).doesNotContain(SECRET);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines.toString()).contains("redis://").doesNotContain(SECRET);
  }

  private static Handler handler(List<String> lines) {
    return new Handler() {
      @Override
      public synchronized void publish(LogRecord line) {
        lines.add(line.getMessage() + line.getThrown());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
