package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualPermits;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.decide.SubjectLimits;
import dev.weir.http.internal.decide.SubjectLimits.Pool;
import dev.weir.http.internal.report.RequestTally;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.internal.wait.WaitQueues;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests of subjects with numbers of their own, each of which is looked up at once. */
class LimitFunctionTest extends LimiterUnderTest {

  private static final NamedLimit QUOTA = Rules.limit("quota", "3 per hour");
  private static final Pool AT_ONCE = new Pool(Runnable::run, () -> {});

  private final Map<String, String> database = new HashMap<>();
  private final RuleLimiter.Settings settings =
      RuleLimiter.Settings.DEFAULT.withFunctions(Map.of("quota", database::get));

  @Test
  void a_changed_number_keeps_what_was_charged() {
    RuleLimiter limiter = limiterOf(keyed("api"));
    database.put("ann", "10 per hour");
    assertState(limiter.limit(request("ann")), 3, 2);
    assertState(limiter.limit(request("ann")), 10, 8);
    exhaust(limiter, request("ann"), 8);
    assertThat(limiter.limit(request("ann"))).isInstanceOf(Rejected.class);
    database.put("ann", "4 per hour");
    time.advance(Duration.ofMinutes(1));
    assertState(limiter.limit(request("ann")), 10, 0);
    assertState(limiter.limit(request("ann")), 4, 0);
  }

  @Test
  void others_have_the_limits_own_numbers() {
    RuleLimiter limiter = limiterOf(keyed("api"));
    database.put("192.0.2.1", "1000 per hour");
    exhaust(limiter, request("bob"), 3);
    assertThat(limiter.limit(request("bob"))).isInstanceOf(Rejected.class);
    exhaust(limiter, FakeRequest.get("/"), 3);
    assertThat(limiter.limit(FakeRequest.get("/"))).as("no key").isInstanceOf(Rejected.class);
  }

  @Test
  void rules_that_share_the_limit_have_the_same_numbers_throughout_a_request() {
    RuleLimiter limiter = limiterOf(keyed("api"), keyed("more"));
    database.put("ann", "10 per hour");
    assertState(limiter.limit(request("ann")), 3, 1);
    assertState(limiter.limit(request("ann")), 10, 6);
  }

  @Test
  void what_was_looked_up_outlives_a_reload() {
    RuleLimiter limiter = limiterOf(keyed("api"));
    database.put("ann", "10 per hour");
    limiter.limit(request("ann"));
    database.clear();
    RuleLimiter next = limiter.replacedBy(List.of(keyed("api")), settings);
    assertState(next.limit(request("ann")), 10, 8);
  }

  @Test
  void a_limit_without_a_function_is_the_same_for_all() {
    Rule rule = Rule.builder("all").match("/**").limit("other", "3 per hour").build();
    database.put("192.0.2.1", "10 per hour");
    RuleLimiter limiter = limiterOf(rule);
    exhaust(limiter, FakeRequest.get("/"), 3);
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Rejected.class);
  }

  @Test
  void a_concurrency_limit_changes_too() {
    NamedLimit running = Rules.limit("quota", "1 concurrent");
    Rule rule = Rule.builder("r").match("/**").subject("header:X-API-Key").limit(running).build();
    RuleLimiter limiter = limiterOf(rule);
    database.put("ann", "2 concurrent");
    assertThat(policy(limiter.limit(request("ann")))).startsWith("\"quota\";q=1;");
    assertThat(policy(limiter.limit(request("ann")))).startsWith("\"quota\";q=2;");
    assertThat(limiter.limit(request("ann"))).isInstanceOf(Rejected.class);
  }

  private static void assertState(Outcome outcome, int quota, int remaining) {
    assertThat(policy(outcome)).startsWith("\"quota\";q=" + quota + ";");
    assertThat(field(outcome, "RateLimit")).startsWith("\"quota\";r=" + remaining + ";");
  }

  private static @Nullable String policy(Outcome outcome) {
    return field(outcome, "RateLimit-Policy");
  }

  private RuleLimiter limiterOf(Rule... rules) {
    return new RuleLimiter(
        List.of(rules),
        settings,
        new RuleLimiter.Node(
            store,
            WaitQueues.of(ManualPermits.over(store, settings.deadline(), time)),
            new OverloadGate(time),
            time,
            new SubjectLimits(time, AT_ONCE, AT_ONCE),
            new RequestTally(time)));
  }

  private static Rule keyed(String name) {
    return Rule.builder(name).match("/**").subject("header:X-API-Key").limit(QUOTA).build();
  }

  private static FakeRequest request(String key) {
    return FakeRequest.get("/").header("X-API-Key", key);
  }
}
