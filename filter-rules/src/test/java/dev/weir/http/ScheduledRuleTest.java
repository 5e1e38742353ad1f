package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.check.RuleAdvice;
import dev.weir.http.internal.schedule.Schedule;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules that apply at some times only. */
class ScheduledRuleTest extends LimiterUnderTest {

  private static final String DAY = "07:00-23:00 Europe/Berlin";
  private static final String NIGHT = "23:00-07:00 Europe/Berlin";
  private static final NamedLimit TEN = Rules.limit("day", "10 per minute");
  private static final NamedLimit TWO = Rules.limit("night", "2 per minute");

  @BeforeEach
  void startBeforeNight() {
    time.setDate(Instant.parse("2026-11-27T21:59:00Z")); // 22:59 in Berlin
  }

  @Test
  void two_rules_make_day_and_night() {
    RuleLimiter limiter = limiter(rule("day", DAY, TEN), rule("night", NIGHT, TWO));
    exhaust(limiter, request(), 10);
    assertThat(limiter.limit(request())).isInstanceOf(Rejected.class);
    time.advance(Duration.ofMinutes(1));
    exhaust(limiter, request(), 2);
    assertThat(field(limiter.limit(request()), "RateLimit-Policy")).isEqualTo("\"night\";q=2;w=60");
    time.advance(Duration.ofHours(8));
    assertThat(field(limiter.limit(request()), "RateLimit-Policy")).isEqualTo("\"day\";q=10;w=60");
  }

  @Test
  void a_limit_of_another_name_begins_unused() {
    RuleLimiter limiter = limiter(rule("day", DAY, TEN), rule("night", NIGHT, TWO));
    exhaust(limiter, request(), 10);
    time.setDate(Instant.parse("2026-11-27T22:00:00Z"));
    exhaust(limiter, request(), 2);
    assertThat(limiter.limit(request())).isInstanceOf(Rejected.class);
  }

  @Test
  void a_limit_that_both_have_carries_over_what_was_used() {
    NamedLimit both = Rules.limit("both", "3 per hour");
    RuleLimiter limiter = limiter(rule("day", DAY, both, TEN), rule("night", NIGHT, both));
    exhaust(limiter, request(), 2);
    time.setDate(Instant.parse("2026-11-27T22:00:00Z"));
    exhaust(limiter, request(), 1);
    assertThat(limiter.limit(request())).isInstanceOf(Rejected.class);
  }

  @Test
  void one_name_cannot_have_other_numbers_at_night() {
    NamedLimit other = Rules.limit("day", "2 per minute");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter(rule("day", DAY, TEN), rule("night", NIGHT, other)))
        .withMessageContaining("as in another rule");
  }

  @Test
  void outside_of_its_times_a_rule_does_not_exist() {
    Rule night =
        rule("night", NIGHT, TWO).toBuilder()
            .clients(ClientPolicy.SAME_FOR_ALL.withDenied(Clients.in(List.of("192.0.2.7"))))
            .build();
    RuleLimiter limiter = limiter(night);
    for (int i = 0; i < 9; i++) {
      assertThat(limiter.limit(request())).isSameAs(Passed.SILENTLY);
      assertThat(limiter.limit(request().from("192.0.2.7"))).isSameAs(Passed.SILENTLY);
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(limiter.limit(request().from("192.0.2.7"))).isInstanceOf(Rejected.class);
    exhaust(limiter, request(), 2);
  }

  @Test
  void a_rule_that_is_bound_keeps_its_times_too() {
    Rule bound = scheduled(Rule.builder("bound").limit(TWO), NIGHT);
    RuleLimiter limiter = limiter(rule("day", DAY, TEN));
    assertThat(limiter.limit(request(), List.of(bound))).isSameAs(Passed.SILENTLY);
    time.advance(Duration.ofMinutes(1));
    assertThat(field(limiter.limit(request(), List.of(bound)), "RateLimit-Policy"))
        .isEqualTo("\"night\";q=2;w=60");
  }

  @Test
  void a_rule_for_a_user_keeps_its_times_when_the_user_is_known() {
    Rule users = scheduled(Rule.builder("users").match("/**").subject("principal"), NIGHT, TWO);
    RuleLimiter limiter = limiter(users);
    FakeRequest day = request();
    assertThat(limiter.limitBeforeAuthentication(day)).isSameAs(Passed.SILENTLY);
    assertThat(limiter.limitAfterAuthentication(day.principal("ann"))).isSameAs(Passed.SILENTLY);
    time.advance(Duration.ofMinutes(1));
    FakeRequest night = request();
    assertThat(limiter.limitBeforeAuthentication(night)).isSameAs(Passed.SILENTLY);
    assertThat(field(limiter.limitAfterAuthentication(night.principal("ann")), "RateLimit"))
        .startsWith("\"night\";r=1;");
  }

  @Test
  void a_rule_keeps_its_times_when_it_is_built_anew() {
    Rule rule = Rule.builder("r").match("/**").limit(TEN).when("Mon-Fri 07:00-19:00 UTC").build();
    assertThat(rule.when()).containsExactly("Mon,Tue,Wed,Thu,Fri 07:00-19:00 UTC");
    assertThat(rule.toBuilder().build()).isEqualTo(rule);
    assertThat(rule.toBuilder().when().build()).isNotEqualTo(rule);
    assertThat(rule.toBuilder().when().build().when()).isEmpty();
  }

  @Test
  void a_rule_by_address_guards_at_its_times_alone() {
    Rule byKey = Rule.builder("keys").match("/**").subject("header:X-Key").limit(TWO).build();
    assertThat(RuleAdvice.of(List.of(byKey, rule("ip", DAY, TEN)))).hasSize(1);
    assertThat(RuleAdvice.of(List.of(byKey, rule("ip", DAY, TEN).toBuilder().when().build())))
        .isEmpty();
    Rule byDay = byKey.toBuilder().when(DAY).build();
    assertThat(RuleAdvice.of(List.of(byDay, rule("ip", DAY, TEN)))).isEmpty();
    assertThat(RuleAdvice.of(List.of(byDay, rule("ip", NIGHT, TEN)))).hasSize(1);
  }

  @Test
  void one_time_holds_for_all_rules_of_a_request() {
    AtomicLong clock = new AtomicLong(Instant.parse("2026-11-27T21:59:59.999Z").toEpochMilli());
    Rule.Builder night = Rule.builder("night").match("/**");
    night.when = Schedule.parse(List.of(NIGHT), clock::getAndIncrement);
    Rule.Builder day = Rule.builder("day").match("/**");
    day.when = Schedule.parse(List.of(DAY), clock::getAndIncrement);
    RuleLimiter limiter = limiter(night.limit(TWO).build(), day.limit(TEN).build());
    assertThat(field(limiter.limit(request()), "RateLimit")).startsWith("\"day\";r=9;");
  }

  private Rule rule(String name, String when, NamedLimit... limits) {
    return scheduled(Rule.builder(name).match("/**"), when, limits);
  }

  private Rule scheduled(Rule.Builder builder, String when, NamedLimit... limits) {
    builder.when = Schedule.parse(List.of(when), () -> time.instant().toEpochMilli());
    return builder.limits(List.of(limits)).build();
  }

  private static FakeRequest request() {
    return FakeRequest.get("/");
  }
}
