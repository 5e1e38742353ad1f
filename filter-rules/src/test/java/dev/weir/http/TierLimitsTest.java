package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.ClientPolicy.LimitOverride;
import dev.weir.http.ClientPolicy.TierLimits;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits by tier, and of single clients. */
class TierLimitsTest extends LimiterUnderTest {

  private static final NamedLimit FREE = Rules.limit("free", "1 per hour");
  private static final NamedLimit PRO = Rules.limit("pro", "3 per hour");
  private static final NamedLimit DAILY = Rules.limit("daily", "5 per day window");
  private static final NamedLimit BIG = Rules.limit("big", "100 per hour");
  private static final Clients PARTNER = Clients.in(List.of("192.0.2.7"));

  private static final TierSource SOURCE =
      TierSource.ofFunction(request -> request.query("tier"), "free");
  private static final TierLimits TIERS =
      new TierLimits(
          SOURCE,
          Map.of("free", List.of(FREE, DAILY), "pro", List.of(PRO, DAILY), "vip", List.of()));

  private final RuleLimiter limiter =
      limiter(rule(ClientPolicy.SAME_FOR_ALL.withTiers(TIERS), FREE, PRO, DAILY));

  @Test
  void a_tier_has_limits_of_its_own_and_the_answer_names_them() {
    assertThat(policies("pro")).isEqualTo("\"pro\";q=3;w=3600, \"daily\";q=5;w=86400");
    assertThat(policies("free")).isEqualTo("\"free\";q=1;w=3600, \"daily\";q=5;w=86400");
  }

  @Test
  void no_plan_and_one_that_nobody_knows_are_what_is_stated() {
    assertThat(policies("gold")).startsWith("\"free\"");
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(request("PRO"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(request("pro"))).isInstanceOf(Passed.class);
  }

  @Test
  void a_plan_without_limits_is_not_limited_and_says_nothing() {
    for (int i = 0; i < 9; i++) {
      assertThat(limiter.limit(request("vip"))).isSameAs(Passed.SILENTLY);
    }
  }

  @Test
  void who_changes_its_plan_begins_anew_with_the_limits_that_differ_alone() {
    exhaust(limiter, request("free"), 1);
    exhaust(limiter, request("pro"), 3);
    assertThat(limiter.limit(request("free"))).as("its hour").isInstanceOf(Rejected.class);
    assertThat(field(limiter.limit(request("pro")), "RateLimit")).startsWith("\"pro\";r=0;");
    time.advance(Duration.ofHours(1));
    assertThat(field(limiter.limit(request("pro")), "RateLimit")).startsWith("\"daily\";r=0;");
    assertThat(limiter.limit(request("free"))).as("their day").isInstanceOf(Rejected.class);
  }

  @Test
  void a_function_that_fails_is_reported_and_knows_of_no_plan() {
    List<String> received = new ArrayList<>();
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onError(String what, Throwable error) {
            received.add(what);
          }
        };
    RequestFunction failing =
        request -> {
          throw new IllegalStateException("s3cr3t");
        };
    TierLimits tiers = new TierLimits(TierSource.ofFunction(failing, "free"), TIERS.limitsOf());
    Rule rule = rule(ClientPolicy.SAME_FOR_ALL.withTiers(tiers), FREE, PRO, DAILY);
    RuleLimiter failed =
        RuleLimiter.of(List.of(rule), store, RuleLimiter.Settings.DEFAULT.withListener(listener));
    assertThat(field(failed.limit(request("pro")), "RateLimit")).startsWith("\"free\";r=0;");
    assertThat(received).containsExactly("a tier cannot be determined, the default applies");
  }

  @Test
  void who_is_overridden_has_those_limits_whatever_its_plan() {
    LimitOverride first = new LimitOverride(PARTNER, List.of(BIG));
    LimitOverride second = new LimitOverride(Clients.in(List.of("192.0.2.0/24")), List.of(PRO));
    ClientPolicy policy =
        ClientPolicy.SAME_FOR_ALL.withTiers(TIERS).withOverrides(List.of(first, second), List.of());
    RuleLimiter overriding = limiter(rule(policy, FREE, PRO, DAILY, BIG));
    assertThat(field(overriding.limit(request("vip").from("192.0.2.7")), "RateLimit-Policy"))
        .isEqualTo("\"big\";q=100;w=3600");
    assertThat(field(overriding.limit(request("vip").from("192.0.2.8")), "RateLimit-Policy"))
        .isEqualTo("\"pro\";q=3;w=3600");
    assertThat(overriding.limit(request("vip").from("192.0.3.1"))).isSameAs(Passed.SILENTLY);
    RuleLimiter denying = limiter(rule(policy.withDenied(PARTNER), FREE, PRO, DAILY, BIG));
    assertThat(denying.limit(request("vip").from("192.0.2.7"))).isInstanceOf(Rejected.class);
    RuleLimiter allowing = limiter(rule(policy.withAllowed(PARTNER), FREE, PRO, DAILY, BIG));
    assertThat(allowing.limit(request("free").from("192.0.2.7"))).isSameAs(Passed.SILENTLY);
  }

  @Test
  void overrides_without_plans_leave_all_others_the_standard() {
    ClientPolicy policy =
        ClientPolicy.SAME_FOR_ALL.withOverrides(
            List.of(new LimitOverride(PARTNER, List.of(BIG))), List.of(FREE));
    RuleLimiter overriding = limiter(rule(policy, FREE, BIG));
    assertThat(field(overriding.limit(FakeRequest.get("/")), "RateLimit-Policy"))
        .isEqualTo("\"free\";q=1;w=3600");
    assertThat(field(overriding.limit(FakeRequest.get("/").from("192.0.2.7")), "RateLimit-Policy"))
        .isEqualTo("\"big\";q=100;w=3600");
  }

  @Test
  void roles_and_functions_wait_for_the_user() {
    Rule byFunction = rule(ClientPolicy.SAME_FOR_ALL.withTiers(TIERS), FREE, PRO, DAILY);
    assertThat(byFunction.needsUser()).isTrue();
    TierSource roles = TierSource.ofRoles(Map.of("customer", "pro"), "free");
    Rule byRole =
        rule(
            ClientPolicy.SAME_FOR_ALL.withTiers(new TierLimits(roles, TIERS.limitsOf())),
            FREE,
            PRO,
            DAILY);
    assertThat(byRole.needsUser()).isTrue();
    TierSource header = TierSource.ofHeader("X-Tier", "free");
    ClientPolicy byHeader =
        ClientPolicy.SAME_FOR_ALL.withTiers(new TierLimits(header, TIERS.limitsOf()));
    assertThat(rule(byHeader, FREE, PRO, DAILY).needsUser()).isFalse();
    assertThat(byHeader.reasonForAddress()).isPresent();
    RuleLimiter waiting = limiter(byRole);
    FakeRequest request = FakeRequest.get("/");
    assertThat(waiting.limitBeforeAuthentication(request)).isSameAs(Passed.SILENTLY);
    Outcome after = waiting.limitAfterAuthentication(request.principal("ann").roles("customer"));
    assertThat(field(after, "RateLimit")).startsWith("\"pro\";r=2;");
  }

  @Test
  void every_plan_that_a_tier_tells_has_limits() {
    TierSource roles = TierSource.ofRoles(Map.of("customer", "pro"), "free");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TierLimits(roles, Map.of("free", List.of(FREE))))
        .withMessage(
            "limits: [free] (expected: limits for tier 'pro' too, which 'tier' may return)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TierLimits(roles, Map.of("pro", List.of(FREE))))
        .withMessageContaining("tier 'free' too");
  }

  @Test
  void a_rule_has_all_limits_that_it_gives_to_anybody() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(ClientPolicy.SAME_FOR_ALL.withTiers(TIERS), FREE, DAILY))
        .withMessageContaining("'pro' too, which clients have");
  }

  @Test
  void no_limit_of_a_tier_may_be_smaller_than_the_cost() {
    Rule rule = rule(ClientPolicy.SAME_FOR_ALL.withTiers(TIERS), FREE, PRO, DAILY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule.toBuilder().cost(Cost.of(2)).build())
        .withMessageStartingWith("cost: 2 (expected: at most 1, or limit 'free'");
  }

  private String policies(String tier) {
    return String.valueOf(field(limiter.limit(request(tier)), "RateLimit-Policy"));
  }

  private static FakeRequest request(String tier) {
    return FakeRequest.get("/").query("tier", tier);
  }

  private static Rule rule(ClientPolicy policy, NamedLimit... limits) {
    return Rule.builder("api")
        .match(RequestMatcher.of("/**"))
        .subject(SubjectResolver.of("global"))
        .limits(List.of(limits))
        .clients(policy)
        .build();
  }
}
