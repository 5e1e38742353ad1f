package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import org.junit.jupiter.api.Test;

/** Requests with several cookies of the name that a rule counts by. */
class DifferingCookiesTest extends LimiterUnderTest {

  private static final Rule BY_COOKIE =
      Rules.rule("cookie", RequestMatcher.of("/**"), "cookie:sid", API);

  private static FakeRequest cookies(String... values) {
    FakeRequest request = FakeRequest.get("/");
    for (String value : values) {
      request.cookie("sid", value);
    }
    return request;
  }

  @Test
  void a_value_that_is_used_up_denies_whatever_else_is_sent() {
    RuleLimiter limiter = limiter(BY_COOKIE);
    exhaust(limiter, cookies("K"), 5);
    assertThat(rejected(limiter.limit(cookies("K", "z"))).status()).isEqualTo(429);
    assertThat(rejected(limiter.limit(cookies("z", "K"))).status()).isEqualTo(429);
    assertThat(rejected(limiter.limit(cookies("", "K"))).status()).isEqualTo(429);
  }

  @Test
  void all_values_are_charged_once_or_none_is() {
    RuleLimiter limiter = limiter(BY_COOKIE);
    exhaust(limiter, cookies("K"), 4);
    assertThat(limiter.limit(cookies("K", "victim", "K"))).isInstanceOf(Passed.class);
    assertThat(rejected(limiter.limit(cookies("K", "victim"))).status()).isEqualTo(429);
    assertThat(field(limiter.limit(cookies("victim")), "RateLimit")).startsWith("\"api\";r=3;");
  }

  @Test
  void the_fields_tell_of_the_value_that_binds_and_name_the_limit_once() {
    RuleLimiter limiter = limiter(BY_COOKIE);
    exhaust(limiter, cookies("K"), 3);
    Outcome both = limiter.limit(cookies("z", "K"));
    assertThat(field(both, "RateLimit")).startsWith("\"api\";r=1;");
    assertThat(field(both, "RateLimit-Policy")).isEqualTo("\"api\";q=5;w=60");
  }

  @Test
  void more_values_than_are_counted_are_refused_and_charge_nothing() {
    RuleLimiter limiter = limiter(BY_COOKIE);
    assertThat(rejected(limiter.limit(cookies("a", "b", "c", "d", "e"))).status()).isEqualTo(403);
    assertThat(field(limiter.limit(cookies("a", "b", "c", "d")), "RateLimit"))
        .startsWith("\"api\";r=4;");
  }

  @Test
  void such_a_request_is_degraded_where_the_rule_degrades() {
    RuleLimiter limiter = limiter(BY_COOKIE.toBuilder().onDenial(OnDenial.DEGRADE).build());
    FakeRequest request = cookies("a", "b", "c", "d", "e");
    assertThat(limiter.limit(request)).isInstanceOf(Passed.class);
    assertThat(request.attribute(RuleLimiter.DEGRADED)).isEqualTo("cookie");
    assertThat(field(limiter.limit(cookies("a")), "RateLimit")).startsWith("\"api\";r=4;");
  }

  @Test
  void such_a_request_passes_where_the_rule_is_a_shadow() {
    RuleLimiter limiter = limiter(BY_COOKIE.toBuilder().onDenial(OnDenial.SHADOW).build());
    assertThat(limiter.limit(cookies("a", "b", "c", "d", "e"))).isSameAs(Passed.SILENTLY);
  }
}
