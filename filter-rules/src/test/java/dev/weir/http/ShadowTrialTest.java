package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All rules on trial deny nothing, and say what they would deny. */
class ShadowTrialTest extends LimiterUnderTest {

  private static final String CLIENT = "192.0.2.1";

  private final Rule login = Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN);
  private final Rule all = Rules.rule("all", RequestMatcher.of("/**"), "ip", API);

  private RuleLimiter trial(Rule... rules) {
    return limiter(Stream.of(rules).map(Rule::asShadow).toArray(Rule[]::new));
  }

  private static FakeRequest passing(RuleLimiter limiter, FakeRequest request) {
    assertThat(limiter.limit(request)).isSameAs(Passed.SILENTLY);
    return request;
  }

  private static @Nullable Object shadow(FakeRequest request) {
    return request.attribute(RequestLimiter.SHADOW_DENIED);
  }

  static Stream<OnDenial> handlings() {
    return Stream.of(
        OnDenial.REJECT,
        OnDenial.REJECT.banning(Ban.parse("15m after 1 denial in 1m")),
        OnDenial.delayUpTo(Duration.ofSeconds(30)),
        OnDenial.DEGRADE,
        OnDenial.degradeTo("/cheap"),
        OnDenial.SHADOW);
  }

  @ParameterizedTest
  @MethodSource("handlings")
  void no_handling_changes_anything_for_the_client(OnDenial handling) {
    RuleLimiter limiter = trial(login.toBuilder().onDenial(handling).build());
    for (int i = 0; i < 9; i++) {
      FakeRequest request = passing(limiter, FakeRequest.get("/login"));
      assertThat(request.attribute(RequestLimiter.DENIED)).isNull();
      assertThat(request.attribute(RequestLimiter.DEGRADED)).isNull();
      assertThat(request.attribute(RequestLimiter.BANNED)).isNull();
      assertThat(shadow(request) != null).isEqualTo(i >= 2);
    }
    assertThat(limiter.counts().requests()).containsEntry(Outcome.ALLOWED, 9L);
  }

  @Test
  void a_list_refuses_nothing_and_says_so() {
    Rule listed =
        login.toBuilder()
            .clients(ClientPolicy.SAME_FOR_ALL.withDenied(Clients.in(List.of(CLIENT))))
            .build();
    FakeRequest request = passing(trial(listed), FakeRequest.get("/login"));
    assertThat(shadow(request)).isEqualTo("login/-/-");
  }

  @Test
  void a_rule_that_no_longer_observes_goes_on_with_what_was_counted() {
    RuleLimiter limiter = trial(login);
    passing(limiter, FakeRequest.get("/login"));
    RuleLimiter earnest = limiter.replacedBy(List.of(login), RuleLimiter.Settings.DEFAULT);
    exhaust(earnest, FakeRequest.get("/login"), 1);
    Outcomes.rejected(earnest.limit(FakeRequest.get("/login")));
  }

  @Test
  void rules_may_share_a_limit_on_trial() {
    Rule other = all.toBuilder().limits(List.of(LOGIN)).build();
    RuleLimiter limiter = trial(login, other);
    assertThat(shadow(passing(limiter, FakeRequest.get("/login")))).isNull();
    assertThat(shadow(passing(limiter, FakeRequest.get("/login"))))
        .as("both take one, and none is left")
        .asString()
        .startsWith("login/login/");
  }

  /**
   * What the trial says is what the rules do: each request is decided by both, in stores of their
   * own, and both deny the same requests for the same rule.
   */
  @Test
  void a_trial_denies_exactly_the_requests_that_the_rules_would() {
    Rule degrading =
        Rules.rule("cheap", RequestMatcher.of("/**"), "ip", Rules.limit("cheap", "3 per minute"))
            .toBuilder()
            .onDenial(OnDenial.DEGRADE)
            .build();
    Rule byPath =
        Rules.rule("path", RequestMatcher.of("/login"), "global", Rules.limit("p", "7 per minute"));
    Rule[] rules = {login, byPath, degrading};
    List<String> denied = new ArrayList<>();
    List<String> shadowed = new ArrayList<>();
    RuleLimiter earnest =
        limiter(RuleLimiter.Settings.DEFAULT.withListener(denials(denied)), rules);
    try (LocalLimitStore apart =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant))) {
      RuleLimiter trial = trialIn(apart, shadowed, rules);
      SplittableRandom random = new SplittableRandom(5);
      for (int i = 0; i < 2_000; i++) {
        String path = random.nextBoolean() ? "/login" : "/other";
        String client = "192.0.2." + random.nextInt(4);
        earnest.limit(FakeRequest.get(path).from(client));
        trial.limit(FakeRequest.get(path).from(client));
        denied.add(";");
        shadowed.add(";");
        time.advance(Duration.ofMillis(random.nextInt(3_000)));
      }
    }
    assertThat(denied).contains("login", "path", "cheap");
    assertThat(shadowed).isEqualTo(denied);
  }

  private RuleLimiter trialIn(LimitStore apart, List<String> denied, Rule... rules) {
    RuleLimiter.Settings settings = RuleLimiter.Settings.DEFAULT.withListener(denials(denied));
    return RuleLimiter.of(Stream.of(rules).map(Rule::asShadow).toList(), apart, settings);
  }

  private static RuleListener denials(List<String> denied) {
    return new RuleListener() {
      @Override
      public void onRequestDecided(
          List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
        if (outcome != RuleOutcome.ALLOWED) {
          denied.add(rules.get(0).name());
        }
      }
    };
  }

  @Test
  void overload_control_sheds_nothing_and_counts_what_it_would() {
    Overload one = new Overload(1, 1, 1, RequestMatcher.of("/**"), Map.of()).asShadow();
    RuleLimiter limiter = limiter(RuleLimiter.Settings.DEFAULT.withOverload(one), all.asShadow());
    limiter.takeEffect();
    FakeRequest first = FakeRequest.get("/");
    assertThat(limiter.limit(first)).isInstanceOf(Passed.class);
    FakeRequest second = FakeRequest.get("/");
    assertThat(limiter.limit(second)).isInstanceOf(Passed.class);
    assertThat(shadow(first)).isNull();
    assertThat(shadow(second)).isEqualTo("-/overload/-");
    assertThat(limiter.inFlight()).contains(new RuleLimiter.InFlight(2, 1, 0, 1));
  }
}
