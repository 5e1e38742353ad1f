package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.http.Outcome.Passed;
import dev.weir.http.Outcome.Rejected;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The way of a request through the rules, over the store that runs in process. */
class RequestLimiterTest {

  private static final NamedLimit LOGIN = Rules.limit("login", "2 per minute");
  private static final NamedLimit API = Rules.limit("api", "5 per minute");

  private final ManualTime time = new ManualTime();
  private final LocalLimitStore store =
      new LocalLimitStore(LocalOptions.embedded().withTime(time, time));

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void a_request_that_no_rule_takes_passes_silently() {
    RequestLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN));
    assertThat(limiter.limit(FakeRequest.get("/x"))).isSameAs(Passed.SILENTLY);
    assertThat(limiter.limit(FakeRequest.get("/x"), List.of())).isSameAs(Passed.SILENTLY);
  }

  @Test
  void requests_pass_until_the_limit_and_again_after_the_retry_after() {
    RequestLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN));
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
    RequestLimiter limiter =
        limiter(Rules.rule("api", RequestMatcher.of("/**"), "header:X-API-Key", LOGIN));
    exhaust(limiter, FakeRequest.get("/").header("X-API-Key", "a"), 2);
    assertThat(limiter.limit(FakeRequest.get("/").header("X-API-Key", "b")))
        .isInstanceOf(Passed.class);
  }

  @Test
  void a_request_is_charged_once_for_each_rule_whatever_the_dispatches() {
    // CVE-2022-31692 Spring Security: forward and include; here the charge, not the check, recurs
    RequestLimiter limiter = limiter(Rules.rule("api", RequestMatcher.of("/**"), "ip", API));
    FakeRequest request = FakeRequest.get("/a");
    Outcome first = limiter.limit(request);
    for (int dispatch = 0; dispatch < 10; dispatch++) {
      assertThat(limiter.limit(request)).isEqualTo(first);
    }
    assertThat(field(first, "RateLimit")).startsWith("\"api\";r=4;");
  }

  @Test
  void the_error_page_of_a_denial_passes_and_charges_nothing() {
    RequestLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/**"), "ip", LOGIN));
    exhaust(limiter, FakeRequest.get("/"), 2);
    FakeRequest denied = FakeRequest.get("/");
    assertThat(limiter.limit(denied)).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(denied)).isInstanceOf(Passed.class);
    Rule onErrorPage = Rules.bound("error", "ip", API);
    assertThat(limiter.limit(denied, List.of(onErrorPage))).isInstanceOf(Passed.class);
    Outcome other = limiter.limit(FakeRequest.get("/"), List.of(onErrorPage));
    assertThat(field(other, "RateLimit")).startsWith("\"api\";r=4;");
  }

  @Test
  void rules_that_are_bound_later_charge_what_was_not_charged_yet() {
    Rule matched = Rules.rule("api", RequestMatcher.of("/**"), "ip", API);
    Rule annotated = Rules.bound("login", "ip", LOGIN);
    RequestLimiter limiter = limiter(matched, annotated);
    FakeRequest request = FakeRequest.get("/a");
    limiter.limit(request);
    Outcome outcome = limiter.limit(request, List.of(matched, annotated));
    assertThat(field(outcome, "RateLimit-Policy"))
        .isEqualTo("\"api\";q=5;w=60, \"login\";q=2;w=60");
    assertThat(field(outcome, "RateLimit")).startsWith("\"login\";r=1;");
    assertThat(limiter.limit(request, List.of(annotated))).isEqualTo(outcome);
  }

  @Test
  void a_rule_that_counts_users_waits_for_authentication_while_nobody_is_known() {
    RequestLimiter limiter =
        limiter(
            Rules.rule("flood", RequestMatcher.of("/**"), "ip", API),
            Rules.rule("user", RequestMatcher.of("/**"), "principal", LOGIN));
    for (int i = 0; i < 2; i++) {
      FakeRequest request = FakeRequest.get("/a");
      assertThat(field(limiter.limitBeforeAuthentication(request), "RateLimit-Policy"))
          .isEqualTo("\"api\";q=5;w=60");
      request.principal("ann");
      assertThat(field(limiter.limitAfterAuthentication(request), "RateLimit"))
          .startsWith("\"login\";r=" + (1 - i) + ";");
    }
    FakeRequest authenticated = FakeRequest.get("/a").principal("ann");
    assertThat(limiter.limitBeforeAuthentication(authenticated)).isInstanceOf(Rejected.class);
    FakeRequest nobody = FakeRequest.get("/a");
    assertThat(field(limiter.limitAfterAuthentication(nobody), "RateLimit"))
        .as("by address, in the end")
        .startsWith("\"login\";r=1;");
  }

  @Test
  void the_limit_that_binds_may_be_one_decided_earlier() {
    RequestLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/**"), "ip", LOGIN));
    Rule annotated = Rules.bound("api", "ip", API);
    FakeRequest request = FakeRequest.get("/a");
    limiter.limit(request);
    assertThat(field(limiter.limit(request, List.of(annotated)), "RateLimit"))
        .startsWith("\"login\";r=1;");
  }

  @Test
  void equal_rules_of_two_limiters_are_both_obeyed() {
    RequestMatcher all = RequestMatcher.of("/**");
    SubjectResolver ip = SubjectResolver.of("ip");
    Rule one = Rules.rule("api", all, ip, 1, API);
    Rule other = Rules.rule("api", all, ip, 1, API);
    assertThat(one).isEqualTo(other);
    FakeRequest request = FakeRequest.get("/");
    limiter(one).limit(request);
    assertThat(field(limiter(other).limit(request), "RateLimit")).startsWith("\"api\";r=3;");
  }

  @Test
  void a_counter_asked_twice_is_told_as_it_stands_last() {
    Rule matched = Rules.rule("api", RequestMatcher.of("/**"), "ip", API);
    RequestLimiter limiter = limiter(matched);
    exhaust(limiter, FakeRequest.get("/"), 4);
    FakeRequest request = FakeRequest.get("/");
    assertThat(field(limiter.limit(request), "RateLimit")).isEqualTo("\"api\";r=0;t=60");
    time.advance(Duration.ofSeconds(36));
    Outcome later = limiter.limit(request, List.of(Rules.bound("bound", "ip", API)));
    assertThat(field(later, "RateLimit")).isEqualTo("\"api\";r=2;t=36");
  }

  @Test
  void each_pattern_is_a_path_of_its_own() {
    RequestMatcher matcher = RequestMatcher.of("/a/{id}", "/b/{id}");
    RequestLimiter limiter = limiter(Rules.rule("r", matcher, "path", LOGIN));
    exhaust(limiter, FakeRequest.get("/a/1").from("198.51.100.1"), 2);
    exhaust(limiter, FakeRequest.get("/b/1"), 2);
    assertThat(limiter.limit(FakeRequest.get("/a/2"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(FakeRequest.get("/b/2"))).isInstanceOf(Rejected.class);
  }

  @Test
  void all_rules_are_charged_or_none() {
    Rule api = Rules.rule("api", RequestMatcher.of("/**"), "ip", API);
    Rule login = Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN);
    RequestLimiter limiter = limiter(api, login);
    exhaust(limiter, FakeRequest.get("/login"), 2);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
    assertThat(field(limiter.limit(FakeRequest.get("/x")), "RateLimit")).startsWith("\"api\";r=2;");
  }

  @Test
  void a_named_limit_is_one_budget_for_all_rules_that_name_it() {
    Rule a = Rules.rule("a", RequestMatcher.of("/a"), "ip", API);
    Rule b = Rules.rule("b", RequestMatcher.of("/b"), "ip", API);
    RequestLimiter limiter = limiter(a, b);
    exhaust(limiter, FakeRequest.get("/a"), 3);
    exhaust(limiter, FakeRequest.get("/b"), 2);
    assertThat(limiter.limit(FakeRequest.get("/b"))).isInstanceOf(Rejected.class);
  }

  @Test
  void charges_of_one_request_to_one_counter_are_summed() {
    Rule a = Rules.rule("a", RequestMatcher.of("/**"), "ip", API);
    Rule b = Rules.rule("b", RequestMatcher.of("/x"), SubjectResolver.of("ip"), 2, API);
    assertThat(field(limiter(a, b).limit(FakeRequest.get("/x")), "RateLimit"))
        .startsWith("\"api\";r=2;");
  }

  @Test
  void a_sum_beyond_the_capacity_is_denied_without_a_retry_after() {
    Rule a = Rules.rule("a", RequestMatcher.of("/**"), SubjectResolver.of("ip"), 3, API);
    Rule b = Rules.rule("b", RequestMatcher.of("/x"), SubjectResolver.of("ip"), 3, API);
    Rejected rejected = rejected(limiter(a, b).limit(FakeRequest.get("/x")));
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(field(rejected, "Retry-After")).isNull();
    assertThat(field(rejected, "RateLimit")).isEqualTo("\"api\";r=5");
    assertThat(rejected.body().toString()).contains("costs more than the limit ever grants");
  }

  @Test
  void a_preflight_is_charged_to_addresses_and_everybody_only() {
    Rule byKey = Rules.rule("key", RequestMatcher.of("/**"), "header:X-API-Key", LOGIN);
    Rule byUser = Rules.rule("user", RequestMatcher.of("/**"), "principal", LOGIN);
    Rule byIp = Rules.rule("ip", RequestMatcher.of("/**"), "ip", API);
    Rule global = Rules.rule("all", RequestMatcher.of("/**"), "global", Rules.PLENTY);
    RequestLimiter limiter = limiter(byKey, byUser, byIp, global);
    assertThat(field(limiter.limit(preflight()), "RateLimit-Policy"))
        .isEqualTo("\"api\";q=5;w=60, \"plenty\";q=1000;w=1");
    FakeRequest otherOptions = FakeRequest.of("OPTIONS", "/");
    assertThat(field(limiter.limit(otherOptions), "RateLimit-Policy")).contains("\"login\"");
    assertThat(limiter(byKey).limit(preflight())).isSameAs(Passed.SILENTLY);
  }

  @Test
  void a_foreign_value_under_our_attribute_is_not_ours() {
    RequestLimiter limiter = limiter(Rules.rule("api", RequestMatcher.of("/**"), "ip", API));
    FakeRequest request = FakeRequest.get("/");
    request.attribute("dev.weir.http.standing", "another class loader's");
    assertThat(field(limiter.limit(request), "RateLimit")).startsWith("\"api\";r=4;");
  }

  @Test
  void the_listener_hears_the_rules_and_the_decision_once() {
    List<String> heard = new ArrayList<>();
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onDecision(List<Rule> rules, Decision decision) {
            heard.add(rules + " " + decision.allowed() + " " + decision.source());
            throw new IllegalStateException("listeners may fail");
          }
        };
    Rule login = Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN);
    Rule all = Rules.rule("all", RequestMatcher.of("/**"), "ip", API);
    RequestLimiter limiter =
        new RequestLimiter(
            List.of(login, all), store, RequestLimiter.Settings.DEFAULT.withListener(listener));
    FakeRequest request = FakeRequest.get("/login");
    limiter.limit(request);
    limiter.limit(request);
    assertThat(heard).containsExactly("[login, all] true LOCAL");
  }

  @Test
  void many_threads_share_a_limiter_and_a_budget() throws InterruptedException {
    // CVE-2026-93346 Wazuh: requests at the same time passed the check before any was counted
    NamedLimit hundred = Rules.limit("hundred", "100 per day");
    RequestLimiter limiter = limiter(Rules.rule("r", RequestMatcher.of("/**"), "ip", hundred));
    AtomicInteger passed = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(8);
    for (int thread = 0; thread < 8; thread++) {
      new Thread(
              () -> {
                for (int i = 0; i < 100; i++) {
                  if (limiter.limit(FakeRequest.get("/a;b/../c")) instanceof Passed) {
                    passed.incrementAndGet();
                  }
                }
                done.countDown();
              })
          .start();
    }
    done.await();
    assertThat(passed).hasValue(100);
  }

  @Test
  void hostile_paths_and_keys_never_make_it_throw() {
    RequestLimiter limiter =
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
  void two_rules_of_one_name_and_two_limits_of_one_name_are_errors() {
    Rule one = Rules.rule("api", RequestMatcher.of("/a"), "ip", API);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter(one, Rules.rule("api", RequestMatcher.of("/b"), "ip", LOGIN)))
        .withMessage("name: 'api' (expected: each rule under a name of its own)");
    NamedLimit other = Rules.limit("api", "6 per minute");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter(one, Rules.rule("b", RequestMatcher.of("/b"), "ip", other)))
        .withMessage(
            "limits: 'api' as 6 per minute (expected: '5 per minute', as in another rule)");
  }

  @Test
  void a_deadline_is_more_than_zero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequestLimiter.Settings.DEFAULT.withDeadline(Duration.ZERO))
        .withMessage("deadline: PT0S (expected: > 0)");
  }

  private RequestLimiter limiter(Rule... rules) {
    return new RequestLimiter(List.of(rules), store, RequestLimiter.Settings.DEFAULT);
  }

  private static FakeRequest preflight() {
    return FakeRequest.of("OPTIONS", "/")
        .header("Origin", "https://shop.example")
        .header("Access-Control-Request-Method", "GET");
  }

  private static void exhaust(RequestLimiter limiter, FakeRequest like, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(limiter.limit(like.again())).isInstanceOf(Passed.class);
    }
  }

  static Rejected rejected(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Rejected.class);
    return (Rejected) outcome;
  }

  static @Nullable String field(Outcome outcome, String name) {
    return outcome.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElse(null);
  }
}
