package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.internal.store.DigestTags;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each request is counted once, by what became of it. */
class RequestCountsTest extends LimiterUnderTest {

  private final Rule login = Rules.rule("login", RequestMatcher.of("/login"), "ip", LOGIN);
  private final Rule all = Rules.rule("all", RequestMatcher.of("/**"), "ip", API);

  private static long of(RuleLimiter limiter, Outcome outcome) {
    return limiter.counts().requests().getOrDefault(outcome, 0L);
  }

  private static Denials denials(String rule, String limit, Reason reason, long count) {
    return new Denials(rule, limit, reason, false, count);
  }

  @Test
  void of_a_hundred_requests_with_two_rules_half_are_denied() {
    Rule half = Rules.rule("half", RequestMatcher.of("/**"), "ip", Rules.limit("h", "50 per day"));
    Rule plenty = Rules.rule("plenty", RequestMatcher.of("/**"), "ip", Rules.PLENTY);
    RuleLimiter limiter = limiter(half, plenty);
    for (int i = 0; i < 100; i++) {
      limiter.limit(FakeRequest.get("/"));
    }
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(50);
    assertThat(of(limiter, Outcome.DENIED)).isEqualTo(50);
    assertThat(limiter.counts().denials())
        .containsExactly(denials("half", "h", Reason.EXHAUSTED, 50));
  }

  @Test
  void a_request_that_is_denied_at_a_later_point_was_not_allowed() {
    Rule bound = Rules.bound("bound", "ip", Rules.limit("one", "1 per day"));
    RuleLimiter limiter = limiter(all);
    for (int i = 0; i < 3; i++) {
      FakeRequest request = FakeRequest.get("/");
      limiter.limit(request);
      limiter.limit(request, List.of(bound));
      limiter.limit(request, List.of(bound));
    }
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(1);
    assertThat(of(limiter, Outcome.DENIED)).isEqualTo(2);
  }

  @Test
  void no_number_ever_becomes_smaller() {
    Rule bound = Rules.bound("bound", "ip", Rules.limit("one", "1 per day"));
    RuleLimiter limiter = limiter(all);
    limiter.limit(FakeRequest.get("/"), List.of(bound));
    FakeRequest request = FakeRequest.get("/");
    limiter.limit(request);
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(2);
    limiter.limit(request, List.of(bound));
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(2);
    limiter.limit(FakeRequest.get("/"));
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(2);
    limiter.limit(FakeRequest.get("/"));
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(3);
  }

  @Test
  void a_request_that_no_rule_decides_is_not_counted() {
    RuleLimiter limiter = limiter(login);
    limiter.limit(FakeRequest.get("/other"));
    assertThat(limiter.counts().requests().values()).containsOnly(0L);
    assertThat(limiter.counts().denials()).isEmpty();
  }

  @Test
  void each_reason_is_told_apart() {
    Rule costly = login.toBuilder().cost(2).build(); // each of two rules costs all of the limit
    Rule asCostly =
        Rules.rule("z", RequestMatcher.of("/login"), SubjectResolver.of("ip"), 2, LOGIN);
    Rule running =
        Rules.rule("running", RequestMatcher.of("/run"), "ip", Rules.limit("r", "1 concurrent"));
    Rule listed =
        Rules.rule("listed", RequestMatcher.of("/listed"), "ip", Rules.PLENTY).toBuilder()
            .clients(ClientPolicy.SAME_FOR_ALL.withDenied(Clients.in(List.of("192.0.2.1"))))
            .build();
    RuleLimiter limiter = limiter(costly, asCostly, running, listed);
    limiter.limit(FakeRequest.get("/login"));
    limiter.limit(FakeRequest.get("/run"));
    limiter.limit(FakeRequest.get("/run"));
    limiter.limit(FakeRequest.get("/listed"));
    assertThat(limiter.counts().denials())
        .containsExactly(
            denials("listed", "-", Reason.LIST, 1),
            denials("login", "login", Reason.NEVER, 1),
            denials("running", "r", Reason.CAPACITY, 1));
    assertThat(limiter.counts().requests())
        .containsAllEntriesOf(Map.of(Outcome.ALLOWED, 1L, Outcome.DENIED, 2L, Outcome.REFUSED, 1L));
  }

  @Test
  void a_blocked_subject_has_not_used_up_its_limit() throws StoreUnavailableException {
    RuleLimiter limiter = limiter(login);
    Counter counter = new Counter("login", LOGIN.limit(), Subject.of("ip", "192.0.2.1"));
    store.adjust(
        new Adjustment.Block(counter, Duration.ofMinutes(5)),
        Deadline.after(Duration.ofSeconds(1)));
    limiter.limit(FakeRequest.get("/login"));
    assertThat(limiter.counts().denials())
        .containsExactly(denials("login", "login", Reason.BLOCKED, 1));
  }

  @Test
  void what_a_shadow_would_deny_is_allowed_and_counted_apart() {
    RuleLimiter limiter = limiter(login.toBuilder().onDenial(OnDenial.SHADOW).build());
    for (int i = 0; i < 5; i++) {
      limiter.limit(FakeRequest.get("/login"));
    }
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(5);
    assertThat(limiter.counts().denials())
        .containsExactly(new Denials("login", "login", Reason.EXHAUSTED, true, 3));
  }

  @Test
  void a_degraded_request_is_neither_allowed_nor_denied() {
    RuleLimiter limiter = limiter(login.toBuilder().onDenial(OnDenial.DEGRADE).build());
    for (int i = 0; i < 3; i++) {
      FakeRequest request = FakeRequest.get("/login");
      limiter.limit(request);
      limiter.limit(request, List.of(all));
    }
    assertThat(of(limiter, Outcome.ALLOWED)).isEqualTo(2);
    assertThat(of(limiter, Outcome.DEGRADED)).isEqualTo(1);
  }

  @Test
  void a_rule_shows_whom_it_denies_most_by_tags() {
    RuleLimiter limiter = limiter(login);
    for (int i = 0; i < 9; i++) {
      limiter.limit(FakeRequest.get("/login").from("198.51.100.1"));
    }
    for (int i = 0; i < 4; i++) {
      limiter.limit(FakeRequest.get("/login").from("198.51.100.2"));
    }
    assertThat(limiter.counts().topDenied())
        .isEqualTo(
            Map.of(
                "login",
                List.of(
                    new TopDenied(tag("198.51.100.1"), 7, 0),
                    new TopDenied(tag("198.51.100.2"), 2, 0))));
  }

  private static String tag(String address) {
    return DigestTags.ofProcess().of(Subject.of("ip", address));
  }

  @Test
  void counts_go_on_through_a_reload() {
    RuleLimiter limiter = limiter(login);
    limiter.limit(FakeRequest.get("/login"));
    RuleLimiter next = limiter.replacedBy(List.of(login), RuleLimiter.Settings.DEFAULT);
    next.limit(FakeRequest.get("/login"));
    assertThat(of(next, Outcome.ALLOWED)).isEqualTo(2);
  }
}
