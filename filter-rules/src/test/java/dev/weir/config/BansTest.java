package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.FreePorts;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bans over two nodes, in a real Redis. */
class BansTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String CLIENT = "198.51.100.7";
  private static final String OTHER = "198.51.100.8";
  private static final String TWENTY = "15m after 20 denials in 1m";

  /** What became of a request. */
  private enum Result {
    PASSED,
    DENIED,
    BANNED
  }

  private static String yaml(int port, String ban) {
    return """
    application: bans
    redis: { uri: "redis://127.0.0.1:%d", deadline: 2s }
    rules: [{ name: login, match: /login, subject: ip, limits: 2 per minute window, ban: %s }]
    """
        .formatted(port, ban);
  }

  private static Weir node(int port, String ban) {
    Weir weir = Weir.open(Weirs.webInf(yaml(port, ban), Weirs.application()));
    await().atMost(SOON).until(() -> weir.status().store() == Source.REDIS);
    return weir;
  }

  private static Result result(Weir node, String client) {
    FakeRequest request = FakeRequest.get("/login").from(client);
    Outcome outcome = node.limiter().limit(request);
    if (request.attribute(RequestLimiter.BANNED) != null) {
      assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
      return Result.BANNED;
    }
    return outcome instanceof Outcome.Passed ? Result.PASSED : Result.DENIED;
  }

  /** Sends so many requests, of which none passes. */
  private static void deny(Weir node, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(result(node, CLIENT)).isNotEqualTo(Result.PASSED);
    }
  }

  private static void exhaust(Weir node, String client) {
    assertThat(result(node, client)).isEqualTo(Result.PASSED);
    assertThat(result(node, client)).isEqualTo(Result.PASSED);
  }

  private static void awaitBan(Weir node) {
    await().atMost(SOON).until(() -> result(node, CLIENT) == Result.BANNED);
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void denials_of_two_nodes_ban_on_both_though_each_node_remembers_denials(RedisVersion version)
      throws Exception {
    try (RedisServer redis = RedisServer.start(version);
        Weir one = node(redis.port(), TWENTY);
        Weir two = node(redis.port(), TWENTY)) {
      exhaust(one, CLIENT);
      deny(one, 12);
      deny(two, 12);
      assertThat(one.status().decisions())
          .filteredOn(
              it ->
                  it.outcome() == RuleOutcome.DENIED
                      && it.source().equals(Optional.of(Source.DENY_CACHE)))
          .as("denied without Redis")
          .isNotEmpty();
      awaitBan(one);
      awaitBan(two);
      FakeRequest refused = FakeRequest.get("/login").from(CLIENT);
      assertThat(two.limiter().limit(refused).fields())
          .extracting(Field::name)
          .contains("Retry-After")
          .doesNotContain("RateLimit", "RateLimit-Policy");
      assertThat(result(one, OTHER)).isEqualTo(Result.PASSED);
      assertThat(two.status().decisions())
          .extracting(RequestCounts.Decisions::outcome)
          .contains(RuleOutcome.BANNED);

      one.liftBan("login", CLIENT);
      assertThat(result(one, CLIENT)).as("lifted, and still denied").isEqualTo(Result.DENIED);
      await().atMost(SOON).until(() -> result(two, CLIENT) == Result.DENIED);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> one.liftBan("logon", CLIENT))
          .withMessage("rule: 'logon' (expected: the name of a rule that bans)");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void a_ban_ends_in_time_however_many_requests_both_nodes_deny_meanwhile(RedisVersion version) {
    try (RedisServer redis = RedisServer.start(version);
        Weir one = node(redis.port(), "4s after 5 denials in 1m");
        Weir two = node(redis.port(), "4s after 5 denials in 1m")) {
      exhaust(one, CLIENT);
      deny(two, 5);
      awaitBan(two);
      long startNanos = System.nanoTime();
      await()
          .atMost(SOON)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> result(one, CLIENT) == Result.DENIED && result(two, CLIENT) == Result.DENIED);
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(6));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void in_an_outage_nobody_is_banned_and_no_denial_counts_afterwards(RedisVersion version) {
    int port = FreePorts.next();
    RedisServer redis = RedisServer.startOn(version, port);
    try (Weir one = node(port, TWENTY);
        Weir two = node(port, TWENTY)) {
      await().atMost(SOON).until(() -> one.status().liveNodes() == 2);
      redis.kill();
      await()
          .atMost(SOON)
          .until(
              () -> {
                result(one, OTHER);
                return one.status().store() == Source.LOCAL;
              });
      assertThat(result(one, CLIENT)).as("its share of two").isEqualTo(Result.PASSED);
      deny(one, 40);
      assertThat(result(two, CLIENT)).as("by its own count").isEqualTo(Result.PASSED);
      try (RedisServer again = RedisServer.startOn(version, port)) {
        assertThat(again.port()).isEqualTo(port);
        await().atMost(SOON).until(() -> one.status().store() == Source.REDIS);
        await()
            .during(Duration.ofSeconds(3))
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(500))
            .until(() -> result(one, CLIENT) != Result.BANNED);
        await().atMost(SOON).until(() -> result(two, CLIENT) == Result.BANNED);
      }
    } finally {
      redis.close();
    }
  }
}
