package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.FreePorts;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.SubjectResolver;
import dev.weir.http.spi.Outcome;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Stores wired to a real Redis. */
class RedisWiringTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void nodes_share_a_budget_and_fall_back_when_redis_dies() {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded());
        Weir one = Weir.open(Weirs.webInf(yaml(redis, "local"), Weirs.application()));
        Weir two = Weir.open(Weirs.webInf(yaml(redis, "local"), Weirs.application()))) {
      awaitRedis(one);
      awaitRedis(two);
      int passed = 0;
      for (int i = 0; i < 20; i++) {
        passed += Weirs.passes(i % 2 == 0 ? one : two, FakeRequest.get("/a")) ? 1 : 0;
      }
      assertThat(passed).isEqualTo(10);
      await().atMost(SOON).untilAsserted(() -> assertThat(one.status().liveNodes()).isEqualTo(2));

      redis.kill();
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                one.limiter().limit(FakeRequest.get("/b"));
                assertThat(one.status().store()).isEqualTo(Source.LOCAL);
              });
      assertThat(one.status().decisions())
          .extracting(RequestCounts.Decisions::source)
          .contains(Optional.of(Source.REDIS), Optional.of(Source.LOCAL));
    }
  }

  @Test
  void an_application_starts_while_redis_is_down_and_moves_to_it() {
    int port = FreePorts.next();
    String yaml =
        """
        application: shop
        redis: redis://127.0.0.1:%d
        rules: [{ name: all, match: /**, limits: 1000 per hour }]
        """
            .formatted(port);
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(Weirs.passes(weir, FakeRequest.get("/a"))).isTrue();
      assertThat(weir.status().decisions())
          .containsExactly(
              new RequestCounts.Decisions(
                  "all", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 1));
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(Weirs.passes(weir, FakeRequest.get("/a"))).isTrue();
                assertThat(weir.status().store()).isEqualTo(Source.LOCAL);
              });
      try (RedisServer redis = RedisServer.startOn(RedisVersion.embedded(), port)) {
        awaitRedis(weir);
        assertThat(weir.status().redis())
            .hasValueSatisfying(
                status ->
                    assertThat(status.primaries())
                        .extracting(RedisStatus.Primary::breaker)
                        .containsExactly(RedisStatus.Breaker.CLOSED));
        try (Jedis client = redis.client()) {
          assertThat(client.keys("shop:*")).isNotEmpty();
        }
      }
    }
  }

  @Test
  void a_denial_is_remembered_unless_it_is_told_otherwise() {
    assertThat(sourceOfSecondDenial("")).isEqualTo(Source.DENY_CACHE);
    assertThat(sourceOfSecondDenial(", deny-cache: 1m")).isEqualTo(Source.DENY_CACHE);
    assertThat(sourceOfSecondDenial(", deny-cache: off, batching: off")).isEqualTo(Source.REDIS);
  }

  private static Source sourceOfSecondDenial(String keys) {
    String yaml =
        """
        application: denied
        redis: { uri: %s, deadline: 5s%s }
        rules: [{ name: all, match: /**, limits: 1 per hour window UTC }]
        """
            .formatted(RedisServer.shared(RedisVersion.embedded()).uri(), keys);
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      awaitRedis(weir);
      for (int i = 0; i < 3; i++) {
        Weirs.passes(weir, FakeRequest.get("/a"));
      }
      List<RequestCounts.Decisions> denied =
          weir.status().decisions().stream()
              .filter(counted -> counted.outcome() == RuleOutcome.DENIED)
              .toList();
      return denied.stream()
          .flatMap(counted -> counted.source().stream())
          .filter(source -> source == Source.DENY_CACHE)
          .findAny()
          .orElse(Source.REDIS);
    }
  }

  @Test
  void a_hot_subject_of_a_limit_that_may_be_leased_is_decided_in_process() {
    assertThat(sources("leases: auto")).contains(Source.LEASE);
    assertThat(sources("leases: off")).doesNotContain(Source.LEASE);
  }

  private static Set<Source> sources(String leases) {
    String yaml =
        """
        application: leased
        redis: { uri: "%s", deadline: 5s }
        limits: { hot: { token-bucket: 100000 per second, %s } }
        rules: [{ name: all, match: /**, limits: hot }]
        """
            .formatted(RedisServer.shared(RedisVersion.embedded()).uri(), leases);
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      awaitRedis(weir);
      for (int i = 0; i < 20_000; i++) {
        Weirs.passes(weir, FakeRequest.get("/a"));
      }
      return weir.status().decisions().stream()
          .flatMap(counted -> counted.source().stream())
          .collect(Collectors.toSet());
    }
  }

  @Test
  void a_rule_may_rather_deny_than_limit_by_share() {
    String yaml =
        """
        application: shop
        redis: redis://127.0.0.1:%d
        rules: [{ name: all, match: /**, limits: 1000 per hour, on-outage: deny }]
        """
            .formatted(FreePorts.next());
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(weir.limiter().limit(FakeRequest.get("/a")))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, rejected -> assertThat(rejected.status()).isEqualTo(503));
      assertThat(weir.status().decisions())
          .containsExactly(
              new RequestCounts.Decisions(
                  "all", RuleOutcome.DENIED, Optional.of(Source.FAIL_CLOSED), 1));
    }
  }

  @Test
  void closing_leaves_no_connection() {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded())) {
      String yaml = yaml(redis, "local");
      ClassLoader application = Weirs.application();
      Weir filter = Weir.open(Weirs.webInf(yaml, application));
      Weir provider = Weir.join(Weirs.webInf(yaml, application));
      awaitRedis(filter);
      filter.close();
      awaitRedis(provider);
      provider.close();
      await().atMost(SOON).until(() -> clients(redis) == 1);
    }
  }

  @Test
  void a_start_that_fails_leaves_no_connection() {
    Rule rule =
        Rule.builder("twice")
            .match(RequestMatcher.of("/**"))
            .subject(SubjectResolver.of("ip"))
            .limit(new NamedLimit("a", Limit.parse("1/s")))
            .build();
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded())) {
      WeirBuilder builder =
          Weir.builder().redis(RedisOptions.of(redis.uri(), "shop")).rule(rule).rule(rule);
      assertThatThrownBy(builder::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("twice");
      await().atMost(SOON).until(() -> clients(redis) == 1);
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .noneMatch(name -> name.contains("weir") && name.contains(redis.port() + ""));
    }
  }

  private static void awaitRedis(Weir weir) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(weir.status().store()).isEqualTo(Source.REDIS));
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              weir.limiter().limit(FakeRequest.get("/warm-up"));
              assertThat(weir.status().decisions())
                  .extracting(RequestCounts.Decisions::source)
                  .contains(Optional.of(Source.REDIS));
            });
  }

  private static long clients(RedisServer redis) {
    try (Jedis client = redis.client()) {
      return client.clientList().lines().count();
    }
  }

  private static String yaml(RedisServer redis, String onOutage) {
    return """
        application: shop
        redis: { uri: "%s", deadline: 1s }
        on-outage: %s
        rules:
          - { name: all, match: /**, except: /warm-up, limits: 10 per hour }
          - { name: warm, match: /warm-up, limits: 100000 per hour }
        """
        .formatted(redis.uri(), onOutage);
  }
}
