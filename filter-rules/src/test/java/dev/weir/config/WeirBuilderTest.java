package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.PeriodLimiter;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.SubjectResolver;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisOptions;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import org.junit.jupiter.api.Test;

/** Weirs made by code. */
class WeirBuilderTest {

  private static final Rule LOGIN =
      Rule.builder("login")
          .match(RequestMatcher.of("POST /login"))
          .subject(SubjectResolver.of("ip"))
          .limit(new NamedLimit("login", Limit.parse("2 per hour")))
          .build();

  @Test
  void rules_made_by_code_decide() {
    try (Weir weir = Weir.builder().rule(LOGIN).start()) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.post("/login"))).isEqualTo(2);
      assertThat(weir.status().store()).isEqualTo(Source.LOCAL);
    }
  }

  @Test
  void its_store_is_lent_to_limiters() {
    try (Weir weir = Weir.builder().start()) {
      PeriodLimiter exports;
      try (LimitStore store = weir.store()) {
        exports = PeriodLimiter.of("exports", "2 per hour window", store);
      }
      Subject user = Subject.of("user", "a");
      assertThat(exports.tryAcquire(user).allowed()).as("the store is still open").isTrue();
      assertThat(exports.tryAcquire(user).allowed()).isTrue();
      assertThat(exports.tryAcquire(user).allowed()).isFalse();
    }
  }

  @Test
  void nodes_divide_a_limit() {
    try (Weir weir = Weir.builder().nodes(2).rule(LOGIN).start()) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.post("/login"))).isEqualTo(1);
    }
  }

  @Test
  void what_cannot_be_leased_is_refused() {
    assertThatThrownBy(() -> Weir.builder().rule(LOGIN).leases("logon").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("leases: 'logon' (expected: the name of a token bucket or of a fixed window)");
    assertThatThrownBy(
            () -> Weir.builder().limit("a", Limit.parse("4 concurrent")).leases("a").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: the name of a token bucket or of a fixed window");
    RedisOptions byNodes =
        RedisOptions.of("redis://localhost", "shop").withClock(RedisOptions.Clock.NODE);
    assertThatThrownBy(() -> Weir.builder().redis(byNodes).rule(LOGIN).leases("login").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("leases: 'login' (expected: none, where nodes decide by their own clocks)");
    assertThatThrownBy(
            () -> Weir.builder().rule(LOGIN).numbers("login", it -> null).leases("login").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "leases: 'login' (expected: none, where its subjects have numbers of their own)");
  }

  @Test
  void a_function_returns_the_numbers_of_a_limit_that_exists() {
    assertThatThrownBy(() -> Weir.builder().rule(LOGIN).numbers("logon", it -> null).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("numbers: 'logon' (expected: the name of a limit)");
    try (Weir weir =
        Weir.builder().rule(LOGIN).numbers("login", address -> "100 per minute").start()) {
      await().until(() -> Weirs.passing(weir, 20, () -> FakeRequest.post("/login")) == 20);
    }
  }

  @Test
  void yaml_in_code_decides() {
    try (Weir weir = Weir.of("rules: [{ name: r, match: /**, limits: 3 per hour }]")) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/"))).isEqualTo(3);
    }
  }

  @Test
  void each_is_its_own() {
    try (Weir one = Weir.builder().rule(LOGIN).start();
        Weir other = Weir.builder().rule(LOGIN).start()) {
      assertThat(one.limiter()).isNotSameAs(other.limiter());
    }
  }

  @Test
  void a_provider_joins_it() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Weirs.application());
    try (Weir weir = Weir.builder().rule(LOGIN).start();
        Weir provider = Weir.join(WeirSource.of("provider"))) {
      assertThat(provider.limiter()).isSameAs(weir.limiter());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void annotations_name_its_limits() {
    try (Weir weir =
        Weir.builder().limit("daily", Limit.parse("9 per day window")).rule(LOGIN).start()) {
      assertThat(Weirs.bound(weir, RuleReference.of("A.b", "daily"))).hasSize(1);
      assertThat(Weirs.bound(weir, RuleReference.of("A.b", "login"))).containsExactly(LOGIN);
    }
  }

  @Test
  void what_contradicts_itself_is_refused() {
    WeirBuilder twoNumbers = Weir.builder().limit("login", Limit.parse("1/s")).rule(LOGIN);
    assertThatThrownBy(twoNumbers::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limits: 'login' as 2 per hour (expected: '1 per second', as elsewhere)");
    assertThatThrownBy(() -> Weir.builder().nodes(0)).hasMessage("nodes: 0 (expected: > 0)");
    assertThatThrownBy(() -> Weir.builder().limit("{}", Limit.parse("1/s")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Weir.of("nodes: 0")).isInstanceOf(ConfigurationException.class);
  }
}
