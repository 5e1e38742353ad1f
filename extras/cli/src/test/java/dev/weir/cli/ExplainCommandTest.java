package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Cli.Result;
import dev.weir.config.Weir;
import dev.weir.http.FakeRequest;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The answer to a request is explained on the command line. */
class ExplainCommandTest {

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final Path folder;
  private final Cli cli;

  ExplainCommandTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.cli = Cli.with(folder, Shop.yaml(redis));
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void a_request_that_passes() throws Exception {
    Result result =
        cli.run(List.of("s3cret-key"), "explain", "GET", "/api/x", "-H", "X-API-Key: @-");
    assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINE);
    assertThat(result.out())
        .contains(
            "rule     decides  limit", "address  allows", "api      allows", "answer   passes")
        .contains("RateLimit: \"api\";r=39;t=180")
        .contains("client   127.0.0.1 (the peer; no header is read)", "charged  nothing")
        .doesNotContain("login", "s3cret-key");
    try (Jedis client = redis.client()) {
      assertThat(client.dbSize()).isZero();
    }
  }

  @Test
  void a_request_that_is_denied_names_the_rule_and_the_limit() throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis))) {
      for (int i = 0; i < 40; i++) {
        assertThat(Shop.passes(node, Shop.request("s3cret-key"))).isTrue();
      }
      Result result =
          cli.run(
              List.of("s3cret-key"),
              "explain",
              "GET",
              "/api/x",
              "-H",
              "X-API-Key: @-",
              "--peer",
              "203.0.113.7");
      assertThat(result.exit()).isEqualTo(Exit.FINDING);
      assertThat(result.out())
          .containsPattern(
              "api +denies +api: 20 per hour, burst 40 +header:x-api-key #\\S{8} +0 of 40")
          .containsPattern("address +allows +address: 100 per hour +ip #\\S{8} +60 of 100")
          .contains("answer   429 by rule api, limit api\n", "         Retry-After: 1")
          .contains("client   203.0.113.7 ");
      String json =
          cli.run(
                  List.of("s3cret-key"),
                  "explain",
                  "GET",
                  "/api/x",
                  "-H",
                  "X-API-Key: @-",
                  "--json")
              .out();
      assertThat(json)
          .contains(
              "\"answer\":{\"passes\":false,\"status\":429,\"rule\":\"api\",\"limit\":\"api\"");
    }
  }

  @Test
  void a_value_that_counts_is_refused_on_the_command_line() throws Exception {
    String basic =
        """
        rules:
          - { name: guesses, match: /**, subject: basic-user, limits: [5 per minute] }
          - { name: keys, match: /**, subject: query:key, limits: [5 per minute] }
        """;
    Cli other = Cli.with(folder, basic);
    for (List<String> arguments :
        List.of(
            List.of("explain", "GET", "/", "-H", "Authorization: Basic s3cret-key"),
            List.of("explain", "GET", "/?key=s3cret-key"),
            List.of("explain", "GET", "/", "-H", "Cookie: a=s3cret-key"))) {
      Result result = other.run(arguments.toArray(String[]::new));
      assertThat(result.exit()).isEqualTo(Exit.USAGE);
      assertThat(result.err())
          .contains(
              "a value on the command line, which the process list and the shell's history have"
                  + " (expected: @- in its place, and the value on standard input)");
      assertThat(result.all()).doesNotContain("s3cret-key");
    }
    Result read = other.run(List.of("s3cret key"), "explain", "GET", "/?key=@-&page=2");
    assertThat(read.exit()).as(read.all()).isEqualTo(Exit.FINE);
    Result without = other.run("explain", "GET", "/?key=@-");
    assertThat(without.err()).contains("query:key: nothing (expected: its value on standard input");
  }

  @Test
  void a_request_that_would_wait_does_not() throws Exception {
    String delaying =
        Shop.yaml(redis)
            .replace(
                "limits: [login] }", "limits: [2 per hour leaky], on-denial: delay up to 10m }")
            .replace("  login: 5 per hour\n", "");
    Cli other = Cli.with(folder, delaying.replace("2 per hour leaky", "60 per hour leaky"));
    try (Weir node = Shop.node(delaying.replace("2 per hour leaky", "60 per hour leaky"))) {
      assertThat(Shop.passes(node, FakeRequest.post("/login").from("203.0.113.7"))).isTrue();
      Result result = other.run("explain", "POST", "/login", "--peer", "203.0.113.7");
      assertThat(result.out()).containsPattern("answer   waits [0-9.]+ s, then passes");
      assertThat(result.exit()).isEqualTo(Exit.FINE);
    }
  }

  @Test
  void lists_tiers_shadows_and_bans_are_shown() throws Exception {
    String yaml =
        """
        tiers:
          plan: { roles: { gold: gold }, otherwise: free }
        overload: { in-flight: { start: 20, from: 5, to: 200 } }
        limits: { free: 1 per hour, gold: 5 per hour }
        rules:
          - { name: listed, match: /**, deny: [192.0.2.9], allow: [192.0.2.8], limits: [9 per hour] }
          - { name: tiered, match: /**, tier: plan, subject: principal, limits: { free: [free], gold: [gold] } }
          - { name: tried, match: /**, limits: [3 per hour], on-denial: shadow }
          - { name: cheap, match: /**, limits: [4 per hour], on-denial: degrade to /cheap }
          - { name: closed, match: /**, limits: [2 per hour], cost: 2, enabled: true }
        """;
    Cli other = Cli.with(folder, yaml);
    Result refused = other.run("explain", "GET", "/", "--peer", "192.0.2.9");
    assertThat(refused.out())
        .containsPattern("listed +refuses")
        .contains("answer   403 by rule listed");
    assertThat(refused.exit()).isEqualTo(Exit.FINDING);
    Result allowed =
        other.run("explain", "GET", "/", "--peer", "192.0.2.8", "--user", "ann", "--role", "gold");
    assertThat(allowed.out())
        .containsPattern("listed +exempts")
        .containsPattern("tiered +allows +gold: 5 per hour")
        .containsPattern("tried +allows \\(shadow\\)")
        .contains("note     overload is not decided", "limits are full here");
  }

  /** No node gives such an answer: it goes on by its share. */
  @Test
  void a_Redis_that_is_frozen_is_no_answer_of_a_rule() throws Exception {
    redis.freeze();
    try {
      Result result = cli.run("explain", "GET", "/");
      assertThat(result.exit()).as(result.all()).isEqualTo(Exit.NOT_REACHED);
      assertThat(result.all())
          .contains("redis 127.0.0.1:" + redis.port() + ": ")
          .doesNotContain("answer", "denies");
    } finally {
      redis.thaw();
    }
  }

  @Test
  void without_Redis_it_says_so() throws Exception {
    redis.kill();
    Result result = cli.run("explain", "GET", "/");
    assertThat(result.exit()).isEqualTo(Exit.NOT_REACHED);
    assertThat(result.err()).contains("Redis at redis://127.0.0.1:" + redis.port() + ": ");
    assertThat(cli.run("explain", "GET", "/", "--redis", "redis://:s3cret@127.0.0.1").all())
        .contains("WEIR_REDIS_PASSWORD")
        .doesNotContain("s3cret");
  }
}
