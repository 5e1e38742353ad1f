package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.LogCapture;
import dev.weir.http.Rule;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A configuration that is read, and not run. */
class ConfigurationTest {

  private static final String SHOP =
      """
      application: shop
      redis: redis://127.0.0.1:%d
      nodes: 2
      responses: { legacy-headers: true }
      client-address: { trusted-proxies: [10.0.0.0/8] }
      limits:
        login: 5 per minute
        spare: 1 per day
      rules:
        - { name: logins, match: POST /login, limits: login }
        - { name: keys, match: /api/**, subject: header:X-API-Key, limits: [20 per second] }
        - { name: off, match: /off, limits: login, enabled: false }
      """;

  private static final String ASSUMED =
      """
      application: shop
      redis: { uri: "${SHOP_REDIS}", secret: "${SHOP_SECRET}", deadline: "${SHOP_DEADLINE:-50ms}" }
      nodes: ${SHOP_NODES}
      listener: com.example.Audit
      limits:
        login: ${SHOP_LOGIN}
        quota: { fixed-window: 100 per day, class: com.example.Quota }
      rules:
        - { name: logins, match: POST /login, limits: [login] }
        - { name: tenants, match: /api/**, subject: [ip, com.example.Tenant], limits: [quota] }
        - { name: annotated, match: annotations, limits: [login] }
      """;

  private static final ReadOptions ASSUMING =
      ReadOptions.STRICT.withAssumedEnvironment().withAssumedClasses();

  private final Path directory;

  ConfigurationTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void it_describes_what_would_run() {
    Configuration shop = Weir.read(SHOP.formatted(6379), ReadOptions.STRICT);
    assertThat(shop.rules()).extracting(Rule::name).containsExactly("logins", "keys");
    assertThat(shop.disabled()).containsExactly("off");
    assertThat(shop.limits()).containsOnlyKeys("login", "spare");
    assertThat(shop.redis().orElseThrow().location()).isEqualTo("redis://127.0.0.1:6379");
    assertThat(shop.redis().orElseThrow().application()).isEqualTo("shop");
    assertThat(shop.nodes()).contains(2);
    assertThat(shop.denyCache()).isPresent();
    assertThat(shop.settings().clientAddress().trustsProxies()).isTrue();
    assertThat(shop.settings().deadline()).hasMillis(100);
    assertThat(shop.warnings())
        .singleElement()
        .asString()
        .contains("rule 'keys' counts by header:x-api-key");
    assertThat(shop.notes())
        .satisfiesExactly(
            secret -> assertThat(secret).startsWith("'redis' has no 'secret'"),
            unused -> assertThat(unused).isEqualTo("no rule uses spare: nothing is limited by it"));
    assertThat(Weir.read("limits: { a: 1/s }", ReadOptions.STRICT).redis()).isEmpty();
  }

  @Test
  void nothing_is_started() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client();
        LogCapture log = new LogCapture("dev.weir")) {
      Path file = Files.writeString(directory.resolve("weir.yaml"), SHOP.formatted(redis.port()));
      Set<Thread> threads = Thread.getAllStackTraces().keySet();
      long connections = connections(client);
      Configuration shop = Weir.read(file, ReadOptions.STRICT);
      assertThat(shop.rules()).hasSize(2);
      assertThat(connections(client)).isEqualTo(connections);
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !threads.contains(thread))
          .noneMatch(thread -> thread.getName().contains("weir"));
      assertThat(
              ManagementFactory.getPlatformMBeanServer()
                  .queryNames(new ObjectName("dev.weir:application=shop,*"), null))
          .isEmpty();
      assertThat(log.records()).isEmpty();
      assertThat(client.keys("*")).isEmpty();
    }
  }

  private static long connections(Jedis client) {
    return client
        .info("stats")
        .lines()
        .filter(line -> line.startsWith("total_connections_received:"))
        .mapToLong(line -> Long.parseLong(line.split(":", 2)[1].strip()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void all_problems_come_at_once_and_are_not_logged() throws IOException {
    Path file = Files.writeString(directory.resolve("weir.yaml"), "nodes: 0\nrulez: []\n");
    try (LogCapture log = new LogCapture("dev.weir")) {
      assertThat(Complaints.of(() -> Weir.read(file, ReadOptions.STRICT)))
          .extracting(problem -> problem.line() + " " + problem.field())
          .containsExactlyInAnyOrder("1 nodes", "2 rulez");
      assertThat(log.records()).isEmpty();
    }
    Path missing = directory.resolve("missing.yaml");
    assertThatThrownBy(() -> Weir.read(missing, ReadOptions.STRICT))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("missing.yaml: no file (expected: a file that exists)");
  }

  @Test
  void a_source_is_searched_as_for_a_start() {
    WeirSource source = Weirs.webInf("rules: [{ name: r, match: /**, limits: 1/s }]", loader());
    assertThat(Weir.read(source, ReadOptions.STRICT).name()).isEqualTo("/WEB-INF/weir.yaml");
    WeirSource params = Weirs.initParams(loader(), Map.of("limit", "${ABSENT}"));
    assertThat(Complaints.of(() -> Weir.read(params, ReadOptions.STRICT))).hasSize(1);
    Configuration assumed = Weir.read(params, ASSUMING);
    assertThat(assumed.notes()).contains("${ABSENT} is not set: any value is assumed");
    assertThat(Weir.read(source.inApplication("/shop"), ReadOptions.STRICT).warnings()).isEmpty();
  }

  private static ClassLoader loader() {
    return Weirs.application();
  }

  @Test
  void what_is_not_here_is_a_problem() {
    assertThat(Complaints.of(() -> Weir.read(ASSUMED, ReadOptions.STRICT)))
        .extracting(ConfigurationException.Problem::field)
        .containsExactlyInAnyOrder(
            "redis.uri",
            "redis.secret",
            "nodes",
            "listener",
            "limits.login",
            "limits.quota.class",
            "rules[1].subject[1]");
  }

  @Test
  void what_is_not_here_is_noted_where_it_is_assumed() {
    Configuration shop = Weir.read(ASSUMED, ASSUMING);
    assertThat(shop.notes())
        .contains(
            "${SHOP_REDIS} is not set: any value is assumed",
            "${SHOP_SECRET} is not set: any value is assumed",
            "${SHOP_NODES} is not set: any value is assumed",
            "${SHOP_LOGIN} is not set: any value is assumed",
            "class com.example.Audit is not on the class path: it is not checked, and not called",
            "class com.example.Quota is not on the class path: it is not checked, and not called",
            "class com.example.Tenant is not on the class path: it is not checked, and not called")
        .doesNotHaveDuplicates();
    assertThat(shop.redis()).isEmpty();
    assertThat(shop.warnings()).noneMatch(line -> line.contains("@RateLimited"));
    assertThat(shop.rules())
        .filteredOn(rule -> rule.name().equals("tenants"))
        .singleElement()
        .satisfies(
            rule ->
                assertThat(rule.subject().kinds())
                    .containsExactly("ip", "class:com.example.Tenant"));
  }

  @Test
  void files_that_are_not_here_are_noted_too() {
    String yaml =
        """
        application: shop
        redis: { uri: rediss://cache, ca-file: /etc/no-shop/ca.pem, user: weir, password-file: /etc/no-shop/password }
        nodes: 1
        rules:
          - { name: keys, match: /**, deny: { key: header:X-Key, file: /etc/no-shop/keys }, limits: [1 per second] }
        """;
    assertThat(Complaints.of(() -> Weir.read(yaml, ReadOptions.STRICT)))
        .extracting(ConfigurationException.Problem::field)
        .contains("redis.ca-file", "redis.password-file", "rules[0].deny.file");
    Configuration shop = Weir.read(yaml, ASSUMING);
    assertThat(shop.redis().orElseThrow().location()).isEqualTo("rediss://cache:6379");
    assertThat(shop.notes())
        .filteredOn(note -> !note.startsWith("'redis' has no 'secret'"))
        .hasSize(3)
        .allMatch(note -> note.matches("file .* is not here: it is not checked"))
        .contains("file '/etc/no-shop/keys' is not here: it is not checked");
  }

  @Test
  void other_mistakes_are_problems_all_the_same() {
    String mistaken = ASSUMED.replace("100 per day", "100 per dya");
    assertThat(Complaints.of(() -> Weir.read(mistaken, ASSUMING)))
        .extracting(ConfigurationException.Problem::field)
        .containsExactly("limits.quota.fixed-window");
  }
}
