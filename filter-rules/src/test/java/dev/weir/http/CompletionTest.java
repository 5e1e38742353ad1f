package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualPermits;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is given back when a response has ended that does not count. */
class CompletionTest extends LimiterUnderTest {

  private static final CountedResponses FAILURES = CountedResponses.parse(List.of("401", "403"));

  private final Rule logins =
      matching("logins", "/login", LOGIN).toBuilder().counted(FAILURES).build();

  @Test
  void a_response_that_counts_stays_charged() {
    RuleLimiter limiter = limiter(logins);
    completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow().completed(401);
    completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow().completed(403);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void a_response_that_does_not_count_is_given_back() {
    RuleLimiter limiter = limiter(logins);
    for (int i = 0; i < 5; i++) {
      Outcome outcome = limiter.limit(FakeRequest.get("/login"));
      assertThat(field(outcome, "RateLimit")).startsWith("\"login\";r=1;");
      completion(outcome).orElseThrow().completed(200);
    }
  }

  @Test
  void it_is_charged_until_then() {
    RuleLimiter limiter = limiter(logins);
    exhaust(limiter, FakeRequest.get("/login"), 2);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void it_is_given_back_once_however_often_the_end_is_told() {
    RuleLimiter limiter = limiter(logins);
    completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow().completed(401);
    Completion twice = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    twice.completed(200);
    twice.completed(200);
    exhaust(limiter, FakeRequest.get("/login"), 1);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void the_first_end_that_is_told_holds() {
    RuleLimiter limiter = limiter(logins);
    Completion counted = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    counted.completed(401);
    counted.completed(200);
    exhaust(limiter, FakeRequest.get("/login"), 1);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void what_ends_with_a_status_that_nobody_knows_stays_charged() {
    RuleLimiter limiter = limiter(logins);
    for (int i = 0; i < 2; i++) {
      completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow().failed();
    }
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void of_what_several_rules_charge_to_one_counter_the_part_of_those_that_count_stays() {
    SubjectResolver ip = SubjectResolver.of("ip");
    RuleLimiter limiter =
        limiter(
            Rules.rule("all", RequestMatcher.of("/**"), ip, 1, API),
            Rules.rule("failed", RequestMatcher.of("/login"), ip, 3, API).toBuilder()
                .counted(FAILURES)
                .build());
    completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow().completed(200);
    assertThat(field(limiter.limit(FakeRequest.get("/other")), "RateLimit"))
        .as("5 less one of each request")
        .startsWith("\"api\";r=3;");
  }

  @Test
  void of_several_limits_each_is_given_back() {
    RuleLimiter limiter =
        limiter(
            matching("both", "/both", LOGIN, API).toBuilder().counted(FAILURES).build(),
            matching("api", "/api", API));
    for (int i = 0; i < 9; i++) {
      completion(limiter.limit(FakeRequest.get("/both"))).orElseThrow().completed(204);
    }
    assertThat(field(limiter.limit(FakeRequest.get("/api")), "RateLimit"))
        .startsWith("\"api\";r=4;");
  }

  @Test
  void rules_that_count_every_response_want_no_completion() {
    RuleLimiter limiter = limiter(matching("api", "/**", API));
    assertThat(completion(limiter.limit(FakeRequest.get("/")))).isEmpty();
  }

  @Test
  void one_completion_does_all_that_is_decided_for_a_request() {
    Rule bound = Rules.bound("bound", "ip", API).toBuilder().counted(FAILURES).build();
    RuleLimiter limiter = limiter(logins);
    FakeRequest request = FakeRequest.get("/login");
    Optional<Completion> first = completion(limiter.limit(request));
    assertThat(completion(limiter.limit(request, List.of(bound)))).isEmpty();
    assertThat(completion(limiter.limit(request))).as("a dispatch decides nothing").isEmpty();
    first.orElseThrow().completed(200);
    Outcome later = limiter.limit(FakeRequest.get("/login"), List.of(bound));
    assertThat(field(later, "RateLimit")).startsWith("\"api\";r=4;");
    assertThat(field(limiter.limit(FakeRequest.get("/login")), "RateLimit"))
        .startsWith("\"login\";r=1;");
  }

  @Test
  void what_is_decided_after_one_has_ended_gets_another() {
    Rule bound = Rules.bound("bound", "ip", API).toBuilder().counted(FAILURES).build();
    RuleLimiter limiter = limiter(logins);
    FakeRequest request = FakeRequest.get("/login");
    completion(limiter.limit(request)).orElseThrow().completed(200);
    completion(limiter.limit(request, List.of(bound))).orElseThrow().completed(200);
    Outcome later = limiter.limit(FakeRequest.get("/login"), List.of(bound));
    assertThat(field(later, "RateLimit")).startsWith("\"api\";r=4;");
  }

  @Test
  void two_that_include_each_other_each_give_back_once() {
    RuleLimiter limiter = limiter(logins);
    Completion one = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    Completion other = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    one.include(other);
    other.include(one);
    one.completed(200);
    other.completed(200);
    exhaust(limiter, FakeRequest.get("/login"), 2);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void one_that_is_included_after_the_end_ends_at_once_with_the_same_status() {
    RuleLimiter limiter = limiter(logins);
    Completion one = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    Completion earlier = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    one.completed(200);
    one.include(earlier);
    earlier.completed(401);
    exhaust(limiter, FakeRequest.get("/login"), 2);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  /** The gate reads the time while the ticket ends, so before the charges are settled. */
  @Test
  void an_end_that_is_told_again_meanwhile_takes_nothing_over() {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    OverloadGate gate =
        new OverloadGate(
            () -> {
              meanwhile.getAndSet(() -> {}).run();
              return time.nanoTime();
            });
    Overload overload = new Overload(4, 4, 4, RequestMatcher.of("/**"), Map.of());
    gate.follow(Optional.of(overload));
    RuleLimiter.Settings settings = RuleLimiter.Settings.DEFAULT.withOverload(overload);
    RuleLimiter gated =
        new RuleLimiter(
            List.of(),
            settings,
            new RuleLimiter.Node(
                store,
                WaitQueues.of(ManualPermits.over(store, settings.deadline(), time)),
                gate,
                time));
    RuleLimiter limiter = limiter(logins);
    Completion charged = completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
    Completion admitted = completion(gated.limit(FakeRequest.get("/other"))).orElseThrow();
    admitted.include(charged);
    meanwhile.set(() -> CompletableFuture.runAsync(admitted::failed).join());
    admitted.completed(200);
    exhaust(limiter, FakeRequest.get("/login"), 2);
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  @Test
  void what_an_outage_takes_is_reported_and_lost() {
    List<String> received = new ArrayList<>();
    Completion completion = completionOver(new WithoutAdjustments(new Unavailable()), received);
    completion.completed(200);
    assertThat(received).containsExactly("lost [logins]");
  }

  @Test
  void a_store_that_fails_otherwise_is_reported_and_answers_nobody() {
    List<String> received = new ArrayList<>();
    completionOver(new WithoutAdjustments(new Broken()), received).completed(200);
    assertThat(received).containsExactly("settlement failed");
  }

  /** As an object of the application, or a request that its container reuses. */
  @Test
  void a_response_that_cannot_be_read_stays_charged_and_ends_its_request() {
    Rule held =
        Rule.builder("held")
            .match("/login")
            .limit("login", "2 per hour")
            .limit("running", "1 concurrent")
            .count("attribute:failed")
            .build();
    RuleLimiter limiter = limiter(held);
    for (int i = 0; i < 2; i++) {
      completion(limiter.limit(FakeRequest.get("/login")))
          .orElseThrow()
          .completed(new Unreadable());
    }
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
  }

  private record Unreadable() implements Completion.Response {

    @Override
    public int status() {
      return 200;
    }

    @Override
    public Object attribute(String name) {
      throw new IllegalStateException("the request object has been recycled");
    }
  }

  private Completion completionOver(LimitStore failing, List<String> received) {
    RuleLimiter.Settings settings =
        RuleLimiter.Settings.DEFAULT.withListener(new RecordingListener(received));
    RuleLimiter limiter = RuleLimiter.of(List.of(logins), failing, settings);
    return completion(limiter.limit(FakeRequest.get("/login"))).orElseThrow();
  }

  private static Rule matching(String name, String pattern, NamedLimit... limits) {
    return Rules.rule(name, RequestMatcher.of(pattern), "ip", limits);
  }

  private static Optional<Completion> completion(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Passed.class);
    return ((Passed) outcome).completion();
  }

  private record RecordingListener(List<String> received) implements RuleListener {

    @Override
    public void onRefundLost(List<Rule> rules, StoreUnavailableException why) {
      received.add("lost " + rules);
    }

    @Override
    public void onError(String what, Throwable error) {
      received.add(what);
    }
  }

  /** How a store fails to adjust. */
  private interface Failure {
    void fail() throws StoreUnavailableException;
  }

  private record Unavailable() implements Failure {

    @Override
    public void fail() throws StoreUnavailableException {
      throw new StoreUnavailableException("gone", Duration.ofSeconds(1), null);
    }
  }

  private record Broken() implements Failure {

    @Override
    public void fail() {
      throw new ArithmeticException("a bug");
    }
  }

  /** The store of this test, which decides and fails to adjust. */
  private final class WithoutAdjustments implements LimitStore {

    private final Failure failure;

    private WithoutAdjustments(Failure failure) {
      this.failure = failure;
    }

    @Override
    public Decision decide(AcquireRequest acquire) throws StoreUnavailableException {
      return store.decide(acquire);
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      failure.fail();
      return Set.of();
    }

    @Override
    public void close() {}
  }
}
