package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.Race;
import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** The way of a request through the rules. */
class RuleLimiterTest extends LimiterUnderTest {

  @Test
  void a_request_that_no_rule_takes_passes_silently() {
    RuleLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN));
    assertThat(limiter.limit(FakeRequest.get("/x"))).isSameAs(Passed.SILENTLY);
    assertThat(limiter.limit(FakeRequest.get("/x"), List.of())).isSameAs(Passed.SILENTLY);
  }

  @Test
  void requests_pass_until_the_limit_and_again_after_the_retry_after() {
    RuleLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN));
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Passed.class);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Passed.class);
    Rejected rejected = rejected(limiter.limit(FakeRequest.get("/login")));
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(field(rejected, "Retry-After")).isEqualTo("30");
    time.advance(Duration.ofSeconds(29));
    assertThat(field(limiter.limit(FakeRequest.get("/login")), "Retry-After")).isEqualTo("1");
    time.advance(Duration.ofSeconds(1));
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Passed.class);
  }

  @Test
  void subjects_do_not_share_a_bucket() {
    RuleLimiter limiter =
        limiter(Rules.rule("api", RequestMatcher.of("/**"), "header:X-API-Key", LOGIN));
    exhaust(limiter, FakeRequest.get("/").header("X-API-Key", "a"), 2);
    assertThat(limiter.limit(FakeRequest.get("/").header("X-API-Key", "b")))
        .isInstanceOf(Passed.class);
  }

  @Test
  void each_pattern_is_a_path_of_its_own() {
    RequestMatcher matcher = RequestMatcher.of("/a/{id}", "/b/{id}");
    RuleLimiter limiter = limiter(Rules.rule("r", matcher, "path", LOGIN));
    exhaust(limiter, FakeRequest.get("/a/1").from("198.51.100.1"), 2);
    exhaust(limiter, FakeRequest.get("/b/1"), 2);
    assertThat(limiter.limit(FakeRequest.get("/a/2"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(FakeRequest.get("/b/2"))).isInstanceOf(Rejected.class);
  }

  @Test
  void a_preflight_is_charged_by_rules_whose_subject_needs_no_credentials() {
    Rule byKey = Rules.rule("key", RequestMatcher.of("/**"), "header:X-API-Key", LOGIN);
    Rule byUser = Rules.rule("user", RequestMatcher.of("/**"), "principal", LOGIN);
    RuleLimiter limiter = limiter(byKey, byUser, by("ip"), by("path"), by("method"), by("global"));
    assertThat(field(limiter.limit(preflight()), "RateLimit-Policy"))
        .isEqualTo("\"ip\";q=9;w=60, \"path\";q=9;w=60, \"method\";q=9;w=60, \"global\";q=9;w=60");
    FakeRequest otherOptions = FakeRequest.of("OPTIONS", "/");
    assertThat(field(limiter.limit(otherOptions), "RateLimit-Policy")).contains("\"login\"");
    assertThat(limiter(byKey).limit(preflight())).isSameAs(Passed.SILENTLY);
  }

  private static Rule by(String subject) {
    NamedLimit limit = Rules.limit(subject, "9 per minute");
    return Rules.rule(subject, RequestMatcher.of("/**"), subject, limit);
  }

  @Test
  void a_preflight_of_a_client_that_a_rule_denies_is_refused_whatever_the_subject() {
    ClientPolicy denying =
        ClientPolicy.SAME_FOR_ALL.withDenied(Clients.in(List.of("198.51.100.66")));
    RuleLimiter limiter =
        limiter(
            Rules.rule("key", RequestMatcher.of("/**"), "header:X-API-Key", LOGIN).toBuilder()
                .clients(denying)
                .build());
    Outcome refused = limiter.limit(preflight().from("198.51.100.66"));
    assertThat(rejected(refused).status()).isEqualTo(403);
    assertThat(limiter.limit(preflight())).isSameAs(Passed.SILENTLY);
  }

  @Test
  void the_listener_hears_the_rules_and_the_decision_once() {
    List<String> received = new ArrayList<>();
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onRequestDecided(
              List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
            received.add(rules + " " + outcome + " " + decision.orElseThrow().source());
            throw new IllegalStateException("listeners may fail");
          }
        };
    Rule login = Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN);
    Rule all = Rules.rule("all", RequestMatcher.of("/**"), "ip", API);
    RuleLimiter limiter =
        RuleLimiter.of(
            List.of(login, all), store, RuleLimiter.Settings.DEFAULT.withListener(listener));
    FakeRequest request = FakeRequest.get("/login");
    limiter.limit(request);
    limiter.limit(request);
    assertThat(received).containsExactly("[login, all] ALLOWED LOCAL");
  }

  @Test
  void an_error_of_the_listener_fails_no_request() {
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onRequestDecided(
              List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
            throw new NoClassDefFoundError("of the listener");
          }
        };
    RuleLimiter limiter =
        RuleLimiter.of(
            List.of(Rules.rule("all", RequestMatcher.of("/**"), "ip", API)),
            store,
            RuleLimiter.Settings.DEFAULT.withListener(listener));
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Passed.class);
  }

  @Test
  void a_rule_that_is_bound_twice_is_charged_once() {
    Rule bound = Rules.bound("bound", "ip", API);
    Rule equal = Rules.bound("bound", "ip", API);
    RuleLimiter limiter = limiter();
    assertThat(field(limiter.limit(FakeRequest.get("/"), List.of(bound, bound)), "RateLimit"))
        .startsWith("\"api\";r=4;");
    assertThat(field(limiter.limit(FakeRequest.get("/"), List.of(bound, equal)), "RateLimit"))
        .as("two rules with equal contents are two rules")
        .startsWith("\"api\";r=2;");
  }

  @Test
  void many_threads_share_a_limiter_and_a_budget() throws Exception {
    // CVE-2026-93346 Wazuh: requests at the same time passed the check before any was counted
    NamedLimit hundred = Rules.limit("hundred", "100 per day");
    RuleLimiter limiter = limiter(Rules.rule("r", RequestMatcher.of("/**"), "ip", hundred));
    LongAdder passed = new LongAdder();
    Race.run(
        thread -> {
          for (int i = 0; i < 100; i++) {
            passed.add(limiter.limit(FakeRequest.get("/a;b/../c")) instanceof Passed ? 1 : 0);
          }
        });
    assertThat(passed.sum()).isEqualTo(100);
  }

  @Test
  void hostile_paths_and_keys_never_make_it_throw() {
    RuleLimiter limiter =
        limiter(
            Rules.rule("login", RequestMatcher.of("POST /login"), "ip", API),
            Rules.rule("key", RequestMatcher.of("/**"), "header:X-API-Key", Rules.PLENTY));
    ConcurrentHashMap.KeySetView<Integer, Boolean> statuses = ConcurrentHashMap.newKeySet();
    for (String path : List.of("", "%", "\0", "/..".repeat(4000), ";".repeat(9000), "\ud800")) {
      FakeRequest request =
          FakeRequest.post(path).from(path).header("X-API-Key", "{}\r\n" + "k".repeat(9000));
      statuses.add(limiter.limit(request) instanceof Rejected r ? r.status() : 200);
    }
    assertThat(statuses).isSubsetOf(200, 429);
  }

  @Test
  void a_deadline_is_more_than_zero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleLimiter.Settings.DEFAULT.withDeadline(Duration.ZERO))
        .withMessage("deadline: PT0S (expected: > 0)");
  }

  private static FakeRequest preflight() {
    return FakeRequest.of("OPTIONS", "/")
        .header("Origin", "https://shop.example")
        .header("Access-Control-Request-Method", "GET");
  }
}
