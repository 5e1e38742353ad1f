package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request that comes by more than once: dispatched again, or seen by several adapters. */
class RecurringRequestTest extends LimiterUnderTest {

  @Test
  void a_request_is_charged_once_for_each_rule_whatever_the_dispatches() {
    // CVE-2022-31692 Spring Security: forward and include; here the charge, not the check, recurs
    RuleLimiter limiter = limiter(Rules.rule("api", RequestMatcher.of("/**"), "ip", API));
    FakeRequest request = FakeRequest.get("/a");
    Outcome first = limiter.limit(request);
    for (int dispatch = 0; dispatch < 10; dispatch++) {
      assertThat(limiter.limit(request)).isEqualTo(first);
    }
    assertThat(field(first, "RateLimit")).startsWith("\"api\";r=4;");
  }

  @Test
  void the_error_page_of_a_denial_passes_and_charges_nothing() {
    RuleLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/**"), "ip", LOGIN));
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
    RuleLimiter limiter = limiter(matched, annotated);
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
    RuleLimiter limiter =
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
    limiter.limitBeforeAuthentication(nobody);
    assertThat(field(limiter.limitAfterAuthentication(nobody), "RateLimit"))
        .as("by address, in the end")
        .startsWith("\"login\";r=1;");
  }

  @Test
  void the_limit_that_binds_may_be_one_decided_earlier() {
    RuleLimiter limiter = limiter(Rules.rule("login", RequestMatcher.of("/**"), "ip", LOGIN));
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
    RuleLimiter limiter = limiter(matched);
    exhaust(limiter, FakeRequest.get("/"), 4);
    FakeRequest request = FakeRequest.get("/");
    assertThat(field(limiter.limit(request), "RateLimit")).isEqualTo("\"api\";r=0;t=60");
    time.advance(Duration.ofSeconds(36));
    Outcome later = limiter.limit(request, List.of(Rules.bound("bound", "ip", API)));
    assertThat(field(later, "RateLimit")).isEqualTo("\"api\";r=2;t=36");
  }

  @Test
  void a_foreign_value_under_our_attribute_is_not_ours() {
    RuleLimiter limiter = limiter(Rules.rule("api", RequestMatcher.of("/**"), "ip", API));
    FakeRequest request = FakeRequest.get("/");
    request.attribute("dev.weir.http.request-memo", "another class loader's");
    assertThat(field(limiter.limit(request), "RateLimit")).startsWith("\"api\";r=4;");
  }
}
