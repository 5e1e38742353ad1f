package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.internal.check.RuleAdvice;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Diverted;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.store.Decision;
import dev.weir.store.OnOutage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to a request that one rule denies while other rules apply to it. */
class OnDenialTest extends LimiterUnderTest {

  private static final NamedLimit ONE = Rules.limit("one", "1 per hour");
  private static final NamedLimit OTHER = Rules.limit("other", "1 per hour");

  private final Rule rejecting = matching("api", API);
  private final Rule shadow = denying("shadow", OnDenial.SHADOW, ONE);
  private final Rule degrading = denying("full", OnDenial.DEGRADE, ONE);
  private final List<String> received = new ArrayList<>();

  @Test
  void a_shadow_lets_pass_what_it_would_deny_and_is_heard() {
    RuleLimiter limiter = limiter(shadow);
    exhaust(limiter, FakeRequest.get("/"), 3);
    assertThat(received)
        .containsExactly("[shadow] ALLOWED", "[shadow] SHADOW_DENIED", "[shadow] SHADOW_DENIED");
  }

  @Test
  void a_client_is_told_nothing_of_a_shadow() {
    Outcome outcome = limiter(shadow, rejecting).limit(FakeRequest.get("/"));
    assertThat(field(outcome, "RateLimit-Policy")).isEqualTo("\"api\";q=5;w=60");
    assertThat(limiter(shadow).limit(FakeRequest.get("/"))).isEqualTo(Passed.SILENTLY);
  }

  @Test
  void a_shadow_that_would_deny_leaves_the_others_charged() {
    RuleLimiter limiter = limiter(shadow, rejecting);
    exhaust(limiter, FakeRequest.get("/"), 5);
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Rejected.class);
  }

  @Test
  void a_shadow_sees_what_others_deny_too() {
    RuleLimiter limiter = limiter(matching("strict", OTHER), shadow);
    FakeRequest request = FakeRequest.get("/");
    limiter.limit(request.again());
    received.clear();
    assertThat(limiter.limit(request.again())).isInstanceOf(Rejected.class);
    assertThat(received).containsExactly("[strict] DENIED", "[shadow] SHADOW_DENIED");
  }

  @Test
  void a_shadow_that_counts_some_responses_gets_back_what_was_denied() {
    Rule failures = shadow.toBuilder().counted(CountedResponses.parse(List.of("401"))).build();
    RuleLimiter limiter = limiter(matching("strict", OTHER), failures);
    limiter.limit(FakeRequest.get("/")).completion().orElseThrow().completed(200);
    limiter.limit(FakeRequest.get("/"));
    limiter.limit(FakeRequest.get("/"));
    assertThat(received).filteredOn(line -> line.startsWith("[shadow]")).allMatch(this::isAllowed);
  }

  @Test
  void two_shadows_are_two_decisions() {
    RuleLimiter limiter = limiter(shadow, denying("second", OnDenial.SHADOW, API));
    exhaust(limiter, FakeRequest.get("/"), 2);
    assertThat(received)
        .containsExactly(
            "[shadow] ALLOWED", "[second] ALLOWED", "[shadow] SHADOW_DENIED", "[second] ALLOWED");
  }

  @Test
  void a_shadow_charges_no_limit_that_others_charge_in_earnest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter(matching("strict", ONE), shadow))
        .withMessage(
            "limits: 'one' of shadow 'shadow' (expected: a limit of its own, for rule 'strict'"
                + " charges this one in earnest)");
  }

  @Test
  void what_is_degraded_passes_with_the_name_of_the_rule_and_the_truth_in_its_fields() {
    RuleLimiter limiter = limiter(degrading, rejecting);
    FakeRequest full = FakeRequest.get("/");
    assertThat(field(limiter.limit(full), "RateLimit")).startsWith("\"one\";r=0;");
    assertThat(full.attribute(RuleLimiter.DEGRADED)).isNull();
    FakeRequest degraded = FakeRequest.get("/");
    Outcome outcome = limiter.limit(degraded);
    assertThat(outcome).isInstanceOf(Passed.class);
    assertThat(degraded.attribute("dev.weir.degraded")).isEqualTo("full");
    assertThat(field(outcome, "RateLimit")).isEqualTo("\"one\";r=0;t=3600");
    assertThat(field(outcome, "RateLimit-Policy")).contains("\"one\"").contains("\"api\"");
    assertThat(field(outcome, "Retry-After")).isNull();
  }

  @Test
  void what_is_degraded_may_have_permits_left_but_fewer_than_it_costs() {
    Rule dear =
        denying("dear", OnDenial.DEGRADE, Rules.limit("three", "3 per hour")).toBuilder()
            .cost(Cost.of(2))
            .build();
    RuleLimiter limiter = limiter(dear);
    limiter.limit(FakeRequest.get("/"));
    assertThat(field(limiter.limit(FakeRequest.get("/")), "RateLimit"))
        .isEqualTo("\"three\";r=1;t=1200");
  }

  @Test
  void what_is_degraded_is_charged_by_the_rules_that_reject() {
    RuleLimiter limiter = limiter(degrading, rejecting);
    exhaust(limiter, FakeRequest.get("/"), 5);
    Rejected rejected = rejected(limiter.limit(FakeRequest.get("/")));
    assertThat(rejected.status()).isEqualTo(429);
  }

  @Test
  void what_is_rejected_is_charged_by_none_that_degrades() {
    RuleLimiter limiter = limiter(degrading, matching("strict", OTHER));
    limiter.limit(FakeRequest.get("/"));
    time.advance(Duration.ofMinutes(30));
    received.clear();
    limiter.limit(FakeRequest.get("/"));
    assertThat(received).containsExactly("[strict] DENIED");
  }

  @Test
  void what_one_rule_degrades_the_others_that_degrade_do_not_charge() {
    Rule plenty = denying("plenty", OnDenial.DEGRADE, API);
    RuleLimiter limiter = limiter(plenty, degrading);
    exhaust(limiter, FakeRequest.get("/"), 3);
    Outcome outcome = limiter(plenty).limit(FakeRequest.get("/"));
    assertThat(field(outcome, "RateLimit")).as("the first alone").startsWith("\"api\";r=3;");
  }

  @Test
  void the_rule_whose_limit_binds_tells_where_to() {
    RuleLimiter limiter =
        limiter(
            denying("plenty", OnDenial.degradeTo("/plenty"), API),
            denying("full", OnDenial.degradeTo("/cheap?from=full"), ONE));
    limiter.limit(FakeRequest.get("/"));
    FakeRequest request = FakeRequest.get("/");
    Outcome outcome = limiter.limit(request);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Diverted.class, it -> assertThat(it.path()).isEqualTo("/cheap?from=full"));
    assertThat(request.attribute(RuleLimiter.DEGRADED)).isEqualTo("full");
    assertThat(field(outcome, "RateLimit")).startsWith("\"one\";r=0;");
    assertThat(limiter.limit(request)).as("a dispatch").isInstanceOf(Passed.class);
  }

  @Test
  void what_is_degraded_is_still_denied_by_rules_that_are_bound_later() {
    Rule bound = Rules.bound("bound", "ip", Rules.limit("soon", "1 per minute"));
    RuleLimiter limiter = limiter(degrading);
    exhaust(limiter, FakeRequest.get("/"), 1);
    limiter.limit(FakeRequest.get("/"), List.of(bound));
    FakeRequest request = FakeRequest.get("/");
    assertThat(limiter.limit(request)).isInstanceOf(Passed.class);
    Rejected rejected = rejected(limiter.limit(request, List.of(bound)));
    assertThat(field(rejected, "Retry-After")).isEqualTo("60");
    assertThat(field(rejected, "RateLimit")).isEqualTo("\"soon\";r=0;t=60");
  }

  @Test
  void an_outage_that_denies_degrades_too() {
    Rule strict =
        Rule.builder("full")
            .match(RequestMatcher.of("/**"))
            .subject(SubjectResolver.of("ip"))
            .limit(ONE)
            .onOutage(OnOutage.DENY)
            .build()
            .toBuilder()
            .onDenial(OnDenial.DEGRADE)
            .build();
    RuleLimiter limiter = limiter(strict);
    store.close();
    FakeRequest request = FakeRequest.get("/");
    assertThat(limiter.limit(request)).isInstanceOf(Passed.class);
    assertThat(request.attribute(RuleLimiter.DEGRADED)).isEqualTo("full");
  }

  @Test
  void a_shadow_guards_nothing() {
    Rule keyed = Rules.rule("keyed", RequestMatcher.of("/**"), "header:X-API-Key", OTHER);
    assertThat(RuleAdvice.of(List.of(keyed, shadow))).hasSize(1);
    assertThat(RuleAdvice.of(List.of(keyed, rejecting))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cheap", "//a b", "/a\nb", "http://elsewhere.example/"})
  void a_path_to_degrade_to_is_one_of_the_application(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnDenial.degradeTo(path))
        .withMessageContaining("a path within the application that starts with /");
  }

  private boolean isAllowed(String line) {
    return line.endsWith("ALLOWED");
  }

  @Override
  RuleLimiter limiter(Rule... rules) {
    RuleListener hearing =
        new RuleListener() {
          @Override
          public void onRequestDecided(
              List<Rule> decided, RuleOutcome outcome, Optional<Decision> decision) {
            received.add(decided + " " + outcome);
          }
        };
    return RuleLimiter.of(
        List.of(rules), store, RuleLimiter.Settings.DEFAULT.withListener(hearing));
  }

  private static Rule matching(String name, NamedLimit limit) {
    return Rules.rule(name, RequestMatcher.of("/**"), "ip", limit);
  }

  private static Rule denying(String name, OnDenial onDenial, NamedLimit limit) {
    return matching(name, limit).toBuilder().onDenial(onDenial).build();
  }
}
