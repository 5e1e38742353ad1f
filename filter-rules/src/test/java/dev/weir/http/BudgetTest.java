package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import org.junit.jupiter.api.Test;

/** A limit that several rules name is a currency: each route has its price. */
class BudgetTest extends LimiterUnderTest {

  private static final NamedLimit BUDGET = Rules.limit("budget", "100 per day window");

  private final RuleLimiter limiter =
      limiter(
          rule("list", "GET /items", Cost.ONE),
          rule("search", "/search", new Cost.OfQuery("size", new Cost.Bounds(1, 50, 10))),
          rule("report", "/report", new Cost.OfHeader("X-Rows", Cost.Bounds.upTo(40))),
          rule("export", "/export", Cost.of(30)));

  @Test
  void routes_spend_one_budget_of_each_subject_at_prices_of_their_own() {
    assertThat(remainingAfter(get("/items", "ann"))).isEqualTo(99);
    assertThat(remainingAfter(get("/export", "ann"))).isEqualTo(69);
    assertThat(remainingAfter(get("/search", "ann"))).isEqualTo(59);
    assertThat(remainingAfter(get("/search", "ann").query("size", "5"))).isEqualTo(54);
    assertThat(remainingAfter(get("/report", "ann").header("X-Rows", "15"))).isEqualTo(39);
    assertThat(remainingAfter(get("/export", "ann"))).isEqualTo(9);
    assertThat(remainingAfter(get("/export", "bob"))).as("another's").isEqualTo(70);
  }

  @Test
  void who_cannot_pay_one_route_may_still_pay_a_cheaper_one() {
    exhaust(limiter, get("/export", "ann"), 3);
    assertThat(limiter.limit(get("/export", "ann"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(get("/report", "ann"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(get("/report", "ann").header("X-Rows", "10")))
        .isInstanceOf(Passed.class);
    assertThat(limiter.limit(get("/items", "ann"))).isInstanceOf(Rejected.class);
  }

  private long remainingAfter(FakeRequest request) {
    String field = String.valueOf(field(limiter.limit(request), "RateLimit"));
    assertThat(field).startsWith("\"budget\";r=");
    return Long.parseLong(field.substring(field.indexOf("r=") + 2, field.lastIndexOf(';')));
  }

  private static FakeRequest get(String path, String key) {
    return FakeRequest.get(path).header("X-API-Key", key);
  }

  private static Rule rule(String name, String match, Cost cost) {
    return Rules.rule(name, RequestMatcher.of(match), "header:X-API-Key", BUDGET).toBuilder()
        .cost(cost)
        .build();
  }
}
