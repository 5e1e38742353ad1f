package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome.Rejected;
import org.junit.jupiter.api.Test;

/** Rules that take one request together. */
class SeveralRulesTest extends LimiterUnderTest {

  @Test
  void all_rules_are_charged_or_none() {
    Rule api = Rules.rule("api", RequestMatcher.of("/**"), "ip", API);
    Rule login = Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN);
    RuleLimiter limiter = limiter(api, login);
    exhaust(limiter, FakeRequest.get("/login"), 2);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
    assertThat(field(limiter.limit(FakeRequest.get("/x")), "RateLimit")).startsWith("\"api\";r=2;");
  }

  @Test
  void a_named_limit_is_one_budget_for_all_rules_that_name_it() {
    Rule a = Rules.rule("a", RequestMatcher.of("/a"), "ip", API);
    Rule b = Rules.rule("b", RequestMatcher.of("/b"), "ip", API);
    RuleLimiter limiter = limiter(a, b);
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
  void who_has_no_key_is_charged_no_more_than_who_has_one() {
    Rule a = Rules.rule("a", RequestMatcher.of("/**"), SubjectResolver.of("ip"), 3, API);
    Rule b = Rules.rule("b", RequestMatcher.of("/x"), SubjectResolver.of("header:X-Key"), 3, API);
    RuleLimiter limiter = limiter(a, b);
    assertThat(field(limiter.limit(FakeRequest.get("/x")), "RateLimit")).contains(";r=2;");
    assertThat(field(limiter.limit(FakeRequest.get("/x")), "Retry-After")).isNotNull();
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
}
