package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Cli.Result;
import dev.weir.config.Weir;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A client is looked at, forgiven and locked out, on all nodes. */
class ChangeCommandsTest {

  private static final List<String> KEY = List.of("partner-key");

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final Path folder;
  private final Cli cli;

  ChangeCommandsTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.cli = Cli.with(folder, Shop.yaml(redis));
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void what_a_client_has_left_is_shown() throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis))) {
      for (int i = 0; i < 37; i++) {
        assertThat(Shop.passes(node, Shop.request("partner-key"))).isTrue();
      }
      Result result = cli.run(KEY, "inspect", "--rule", "api");
      assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINE);
      assertThat(result.out())
          .containsPattern("^header:x-api-key #\\S{8}\n")
          .containsPattern(
              "api +token bucket +left 3 of 40 +full in 11[01] min +key expires in 11[012] min")
          .containsPattern(
              "daily +fixed window +left 963 of 1000 +full in [0-9]+ \\S+ +key expires in ");
      assertThat(cli.run(KEY, "inspect", "--rule", "api", "--json").out())
          .startsWith(
              "{\"rule\":\"api\",\"subjects\":[{\"subject\":\"header:x-api-key\",\"tag\":\"#")
          .contains("\"limit\":\"api\",\"kind\":\"token bucket\",\"left\":3,\"capacity\":40");
    }
  }

  @Test
  void the_tag_is_the_start_of_the_digest_in_the_keys() throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis));
        Jedis client = redis.client()) {
      assertThat(Shop.passes(node, Shop.request("partner-key"))).isTrue();
      String key = client.keys("shop:*b:api").iterator().next();
      String tag = key.substring(key.indexOf('{') + 1, key.indexOf('{') + 9);
      Result result = cli.run(KEY, "digest", "--rule", "api");
      assertThat(result.out()).contains("tag     header:x-api-key  #" + tag);
      assertThat(result.out().replaceFirst("(?s).*sha256 +\\S+ +(\\S+)\n.*", "$1"))
          .isEqualTo(sha256("partner-key"));
    }
  }

  private static String sha256(String key) throws Exception {
    Process process = new ProcessBuilder("sh", "-c", "printf %s " + key + " | sha256sum").start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).substring(0, 64);
  }

  @Test
  void a_block_denies_on_all_nodes_and_a_reset_lifts_it() throws Exception {
    try (Weir first = Shop.node(Shop.yaml(redis));
        Weir second = Shop.node(Shop.yaml(redis))) {
      assertThat(Shop.passes(second, Shop.request("partner-key"))).isTrue();
      Result blocked =
          cli.run(KEY, "block", "--rule", "api", "--limit", "api", "--for", "1h", "--yes");
      assertThat(blocked.exit()).as(blocked.all()).isEqualTo(Exit.FINE);
      assertThat(blocked.err())
          .containsPattern(
              "block for 1 hour limit api \\(20 per hour, burst 40\\) of header:x-api-key #\\S{8} on all nodes");
      assertThat(blocked.out())
          .containsPattern("limit api +left 0 of 40 +\\(was 39\\) +blocked for 60 min")
          .contains(
              "While Redis is out, no node knows of it, and a Redis that loses its data forgets it");
      for (Weir node : List.of(first, second)) {
        Awaitility.await()
            .atMost(Duration.ofMillis(1_500))
            .until(() -> !Shop.passes(node, Shop.request("partner-key")));
        assertThat(Shop.passes(node, Shop.request("other-key"))).isTrue();
      }
      Outcome denied = first.limiter().limit(Shop.request("partner-key"));
      assertThat(denied.fields().toString()).containsPattern("Retry-After, value=3(600|59[0-9])");

      Result reset = cli.run(KEY, "reset", "--rule", "api", "--all", "--yes");
      assertThat(reset.exit()).isEqualTo(Exit.FINE);
      assertThat(reset.out())
          .containsPattern("limit api +left 40 of 40 +\\(was 0\\)")
          .contains("Nodes that remember a denial follow within 1.0 s (deny-cache).");
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> Shop.passes(first, Shop.request("partner-key")));
    }
  }

  @Test
  void where_no_node_counts_or_nothing_was_used_it_says_so() throws Exception {
    Cli elsewhere =
        Cli.with(
            Files.createDirectory(folder.resolve("elsewhere")),
            Shop.yaml(redis).replace("application: shop", "application: other"));
    String nobody = "No node of application other is alive in this Redis.";
    String unused =
        "Nothing is counted for this client now. If it is denied at this moment, the secret";
    for (String[] command :
        new String[][] {
          {"inspect", "--rule", "api"}, {"reset", "--rule", "api", "--all", "--yes"},
        }) {
      assertThat(elsewhere.run(KEY, command).out()).contains(nobody, unused);
    }
    assertThat(elsewhere.run(KEY, "explain", "GET", "/api/a", "-H", "X-API-Key: @-").out())
        .contains(nobody);
    try (Weir node = Shop.node(Shop.yaml(redis))) {
      assertThat(Shop.passes(node, Shop.request("partner-key"))).isTrue();
      assertThat(cli.run(KEY, "inspect", "--rule", "api").out())
          .doesNotContain("No node of application")
          .doesNotContain("Nothing is counted");
    }
  }

  @Test
  void a_block_says_whom_it_misses() throws Exception {
    String hint = "Only this limit is blocked: clients of overrides and tiers have others (--all).";
    String[] block = {"block", "--rule", "api", "--limit", "api", "--for", "1m", "--yes"};
    assertThat(cli.run(KEY, block).out()).doesNotContain(hint);
    String overridden =
        Shop.yaml(redis)
            .replace(
                "limits: [api, daily] }",
                "limits: [api, daily], overrides: [{ clients: [192.0.2.7], limits: [9 per second] }] }");
    assertThat(Cli.with(folder, overridden).run(KEY, block).out()).contains(hint);
  }

  @Test
  void an_unblock_leaves_what_was_left_before_the_block() throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis))) {
      for (int i = 0; i < 10; i++) {
        assertThat(Shop.passes(node, Shop.request("partner-key"))).isTrue();
      }
      cli.run(KEY, "block", "--rule", "api", "--limit", "daily", "--for", "1m", "--yes");
      Awaitility.await()
          .atMost(Duration.ofMillis(1_500))
          .until(() -> !Shop.passes(node, Shop.request("partner-key")));
      Result unblocked = cli.run(KEY, "unblock", "--rule", "api", "--limit", "daily", "--yes");
      assertThat(unblocked.exit()).as(unblocked.all()).isEqualTo(Exit.FINE);
      assertThat(unblocked.out())
          .containsPattern("limit daily +left 990 of 1000 +\\(was 0\\)")
          .doesNotContain("blocked for")
          .contains("Nodes that remember a denial follow within 1.0 s (deny-cache).");
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> Shop.passes(node, Shop.request("partner-key")));
    }
  }

  @Test
  void permits_are_given_back() throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis))) {
      for (int i = 0; i < 10; i++) {
        assertThat(Shop.passes(node, Shop.request("partner-key"))).isTrue();
      }
      Result result =
          cli.run(
              KEY,
              "reward",
              "--rule",
              "api",
              "--limit",
              "daily",
              "--permits",
              "4",
              "--yes",
              "--json");
      assertThat(result.out())
          .contains("\"change\":\"give back 4 of\"")
          .contains("\"leftBefore\":990,\"left\":994,\"capacity\":1000");
    }
  }

  @Test
  void nothing_is_changed_without_a_confirmation_or_a_choice() throws Exception {
    try (Jedis client = redis.client()) {
      for (List<String> arguments :
          List.of(
              List.of("reset", "--rule", "api", "--all"),
              List.of("reset", "--rule", "api", "--yes"),
              List.of("reset", "--rule", "api", "--limit", "apy", "--yes"),
              List.of("block", "--rule", "api", "--all", "--for", "1 parsec", "--yes"),
              List.of("block", "--rule", "api", "--all", "--for", "1000d", "--yes"),
              List.of("reward", "--rule", "api", "--all", "--permits", "0", "--yes"),
              List.of("reset", "--rule", "apis", "--all", "--yes"))) {
        Result result = cli.run(KEY, arguments.toArray(String[]::new));
        assertThat(result.exit()).as("%s: %s", arguments, result.all()).isEqualTo(Exit.USAGE);
        assertThat(result.err()).contains("(expected: ");
      }
      assertThat(client.dbSize()).isZero();
    }
    assertThat(cli.run(KEY, "reset", "--rule", "apis", "--all", "--yes").err())
        .contains(
            "--rule: 'apis' (expected: one of the rules address, api, login; did you mean 'api'?)");
    assertThat(cli.run(KEY, "reset", "--rule", "api", "--yes").err())
        .contains("--limit: nothing (expected: one of api, daily, or --all)");
  }

  @Test
  void a_ban_is_one_of_the_limits_of_its_rule() throws Exception {
    String banning =
        Shop.yaml(redis)
            .replace("limits: [login] }", "limits: [login], ban: 1h after 2 denials in 1m }");
    Cli other = Cli.with(folder, banning);
    List<String> address = List.of("203.0.113.7");
    try (Weir node = Shop.node(banning)) {
      FakeRequest login = FakeRequest.post("/login").from("203.0.113.7");
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                boolean unused = Shop.passes(node, login.again());
                return other
                    .run(List.of(), "explain", "POST", "/login", "--peer", "203.0.113.7")
                    .out()
                    .contains("bans");
              });
      assertThat(other.run(address, "inspect", "--rule", "login").out())
          .containsPattern("ban:login +sliding window +left 0 of 2 .* blocked for 60 min");
      Result lifted =
          other.run(address, "reset", "--rule", "login", "--limit", "ban:login", "--yes");
      assertThat(lifted.exit()).as(lifted.all()).isEqualTo(Exit.FINE);
      assertThat(other.run(address, "inspect", "--rule", "login").out())
          .containsPattern("ban:login +sliding window +left 2 of 2 .* not blocked");
    }
  }

  @Test
  void another_Redis_needs_its_password_from_the_environment() throws Exception {
    try (RedisServer guarded =
            RedisServer.start(RedisVersion.newest(), "--requirepass", "pass-word-1");
        Jedis client = guarded.client()) {
      client.auth("pass-word-1");
      client.aclSetUser("operator", "on", ">pass-word-2", "~shop:*", "+@all");
      String[] inspect = {
        "inspect", "--rule", "api", "--redis", guarded.uri(), "--redis-user", "operator"
      };
      Result refused = cli.environment("WEIR_REDIS_PASSWORD", "wrong").run(KEY, inspect);
      assertThat(refused.exit()).as(refused.all()).isEqualTo(Exit.NOT_REACHED);
      assertThat(refused.err()).contains("WRONGPASS");
      Result result = cli.environment("WEIR_REDIS_PASSWORD", "pass-word-2").run(KEY, inspect);
      assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINE);
      assertThat(refused.all() + result.all()).doesNotContain("pass-word", "wrong");
    }
  }
}
