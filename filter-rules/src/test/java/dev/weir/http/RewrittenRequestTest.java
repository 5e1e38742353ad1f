package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.local.LocalLimitStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request that a filter gives another path obeys the rules of both, each once. */
class RewrittenRequestTest {

  private static final NamedLimit LOGIN = Rules.limit("login", "9 per minute");
  private static final NamedLimit ALIAS = Rules.limit("alias", "9 per minute");

  private final LocalLimitStore store = LocalLimitStore.of();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void each_rule_charges_once_under_both_paths() {
    RuleLimiter limiter =
        limiter(
            Rules.rule("all", RequestMatcher.of("/**"), "ip", ALIAS),
            Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN));
    FakeRequest request = FakeRequest.get("/alias");
    assertThat(remaining(limiter.limitBeforeAuthentication(request))).startsWith("\"alias\";r=8;");
    Outcome outcome = limiter.limitBeforeAuthentication(request.rewrittenTo("/login"));
    assertThat(policies(outcome)).contains("\"alias\"").contains("\"login\"");
    assertThat(remaining(limiter.limit(FakeRequest.get("/x")))).startsWith("\"alias\";r=7;");
  }

  @Test
  void a_rule_that_waits_for_the_user_under_both_paths_charges_once() {
    RuleLimiter limiter =
        limiter(
            Rules.rule("all", RequestMatcher.of("/**"), "principal", ALIAS),
            Rules.rule("alias", RequestMatcher.of("/alias"), "principal", LOGIN));
    FakeRequest request = FakeRequest.get("/alias");
    limiter.limitBeforeAuthentication(request);
    FakeRequest rewritten = request.rewrittenTo("/login").principal("ann");
    limiter.limitBeforeAuthentication(rewritten);
    Outcome outcome = limiter.limitAfterAuthentication(rewritten);
    assertThat(policies(outcome)).contains("\"alias\"").contains("\"login\"");
    FakeRequest next = FakeRequest.get("/x").principal("ann");
    assertThat(remaining(limiter.limit(next))).startsWith("\"alias\";r=7;");
  }

  @Test
  void what_waits_for_one_limiter_is_no_business_of_another() {
    Rule user = Rules.rule("user", RequestMatcher.of("/**"), "principal", LOGIN);
    FakeRequest request = FakeRequest.get("/a");
    limiter(user).limitBeforeAuthentication(request);
    Rule equal = Rules.rule("user", RequestMatcher.of("/**"), "principal", LOGIN);
    assertThat(limiter(equal).limitAfterAuthentication(request)).isSameAs(Passed.SILENTLY);
    assertThat(remaining(limiter(user).limitAfterAuthentication(request)))
        .startsWith("\"login\";r=8;");
  }

  private RuleLimiter limiter(Rule... rules) {
    return RuleLimiter.of(List.of(rules), store, RuleLimiter.Settings.DEFAULT);
  }

  private static String remaining(Outcome outcome) {
    return String.valueOf(Outcomes.field(outcome, "RateLimit"));
  }

  private static String policies(Outcome outcome) {
    return String.valueOf(Outcomes.field(outcome, "RateLimit-Policy"));
  }
}
