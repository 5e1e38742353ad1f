package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.DelegatingStore;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A node that has as many requests as it can serve sheds the others, before it decides. */
class AdmissionTest extends LimiterUnderTest {

  private static final CountedResponses FAILURES = CountedResponses.parse(List.of("401"));

  private final OverloadGate gate = new OverloadGate(time);
  private final AtomicInteger received = new AtomicInteger();
  private final Rule checkout = matching("checkout", "/checkout", Rules.PLENTY);
  private final Rule logins = matching("logins", "/login", LOGIN);
  private final RuleLimiter limiter = limiter(4, 4, checkout, logins);

  @Test
  void what_is_shed_is_told_to_come_back_soon_and_is_charged_nothing() {
    List<Completion> running = enter(limiter, "/other", 3);
    TreeSet<String> waits = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      Rejected shed = rejected(limiter.limit(FakeRequest.get("/login")));
      assertThat(shed.status()).isEqualTo(503);
      assertThat(shed.fields()).hasSize(2);
      assertThat(field(shed, "Cache-Control")).isEqualTo("no-store");
      assertThat(shed.body().toString())
          .contains("#temporary-reduced-capacity", "Service Unavailable", "\"status\":503");
      waits.add(String.valueOf(field(shed, "Retry-After")));
    }
    assertThat(waits).containsExactly("1", "2", "3");
    assertThat(received).hasValue(200);
    assertThat(gate.stats().orElseThrow().shed()).isEqualTo(200);
    running.forEach(completion -> completion.completed(200));
    assertThat(field(limiter.limit(FakeRequest.get("/login")), "RateLimit"))
        .as("of two, with one just charged")
        .startsWith("\"login\";r=1;");
  }

  @Test
  void a_rule_with_a_share_finds_room() {
    enter(limiter, "/other", 3);
    assertThat(limiter.limit(FakeRequest.get("/other"))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(FakeRequest.get("/checkout"))).isInstanceOf(Passed.class);
    assertThat(limiter.limit(FakeRequest.get("/checkout"))).isInstanceOf(Rejected.class);
  }

  @Test
  void what_is_excepted_passes_and_takes_no_room() {
    for (int i = 0; i < 9; i++) {
      assertThat(limiter.limit(FakeRequest.get("/health"))).isEqualTo(Passed.SILENTLY);
    }
    assertThat(inFlight()).isZero();
  }

  @Test
  void a_request_takes_one_place_whoever_decides_about_it() {
    FakeRequest request = FakeRequest.get("/other");
    Completion completion = limiter.limitBeforeAuthentication(request).completion().orElseThrow();
    Rule bound = Rules.bound("bound", "ip", API).toBuilder().counted(FAILURES).build();
    assertThat(limiter.limit(request, List.of(bound)).completion()).isEmpty();
    assertThat(limiter.limit(request)).isInstanceOf(Passed.class);
    assertThat(limiter.limitAfterAuthentication(request).completion()).isEmpty();
    assertThat(inFlight()).isEqualTo(1);
    completion.completed(200);
    assertThat(inFlight()).isZero();
  }

  @Test
  void what_a_limit_denies_takes_no_room() {
    for (int i = 0; i < 9; i++) {
      Outcome outcome = limiter.limit(FakeRequest.get("/login"));
      outcome.completion().ifPresent(completion -> completion.completed(401));
    }
    assertThat(limiter.limit(FakeRequest.get("/login"))).isInstanceOf(Rejected.class);
    assertThat(inFlight()).isZero();
  }

  @Test
  void what_ends_in_whatever_way_leaves() {
    SplittableRandom random = new SplittableRandom(3);
    RuleLimiter both = limiter(4, 4, checkout, logins.toBuilder().counted(FAILURES).build());
    List<Completion> running = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      String path = List.of("/checkout", "/login", "/other").get(random.nextInt(3));
      both.limit(FakeRequest.get(path)).completion().ifPresent(running::add);
      while (!running.isEmpty() && random.nextBoolean()) {
        end(running.remove(random.nextInt(running.size())), random.nextInt(3));
      }
    }
    assertThat(running).hasSizeLessThanOrEqualTo(4);
    assertThat(inFlight()).isEqualTo(running.size());
    running.forEach(Completion::failed);
    assertThat(inFlight()).isZero();
  }

  @Test
  void the_number_follows_what_the_application_takes() {
    RuleLimiter following = limiter(4, 100);
    for (int i = 0; i < 400; i++) {
      serve(following, Duration.ofMillis(100), 200);
    }
    int fast = gate.stats().orElseThrow().number();
    assertThat(fast).isGreaterThan(10);
    for (int i = 0; i < 60; i++) {
      serve(following, Duration.ofMillis(300), 200);
    }
    assertThat(gate.stats().orElseThrow().number()).isLessThan(fast);
  }

  @Test
  void what_fails_is_no_measure() {
    RuleLimiter following = limiter(4, 100);
    for (int i = 0; i < 400; i++) {
      serve(following, Duration.ofMillis(100), 500);
    }
    assertThat(gate.stats().orElseThrow().number()).isEqualTo(4);
  }

  @Test
  void what_is_settled_after_the_end_is_no_time_of_the_application() {
    List<Integer> settling = new ArrayList<>();
    Rule counted =
        matching("counted", "/other", Rules.PLENTY).toBuilder().counted(FAILURES).build();
    RuleLimiter following = limiter(recording(settling), 4, 4, counted);
    following.limit(FakeRequest.get("/other")).completion().orElseThrow().completed(200);
    assertThat(settling).as("in flight while the store settles").containsExactly(0);
  }

  @Test
  void nor_is_what_an_adapter_settles_that_keeps_one_completion_of_two() {
    List<Integer> settling = new ArrayList<>();
    RuleLimiter following = limiter(recording(settling), 4, 4);
    FakeRequest request = FakeRequest.get("/other");
    Completion first = following.limit(request).completion().orElseThrow();
    Rule bytes =
        Rules.bound("bytes", "ip", Rules.limit("traffic", "1 kB per second")).toBuilder()
            .cost(new Cost.OfResponse(100))
            .build();
    Completion second = following.limit(request, List.of(bytes)).completion().orElseThrow();
    second.include(first);
    assertThat(inFlight()).isEqualTo(1);
    second.completed(200);
    assertThat(settling).as("in flight while the store settles").containsExactly(0);
  }

  /** A store that records how many requests are in flight when it settles. */
  private LimitStore recording(List<Integer> settling) {
    return new DelegatingStore(store) {
      @Override
      public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
          throws StoreUnavailableException {
        settling.add(inFlight());
        return super.adjust(adjustment, deadline);
      }
    };
  }

  @Test
  void the_error_page_of_what_is_shed_is_neither_charged_nor_denied() {
    List<Completion> running = enter(limiter, "/other", 3);
    FakeRequest shed = FakeRequest.get("/other");
    assertThat(rejected(limiter.limit(shed)).status()).isEqualTo(503);
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.limit(shed.rewrittenTo("/login"))).isEqualTo(Passed.SILENTLY);
    }
    running.forEach(completion -> completion.completed(200));
    assertThat(field(limiter.limit(FakeRequest.get("/login")), "RateLimit"))
        .as("of two, with one just charged")
        .startsWith("\"login\";r=1;");
  }

  @Test
  void nor_does_the_error_page_of_what_a_limit_denies_take_room() {
    RuleLimiter free = limiter(1, 1, matching("free", "/health", Rules.limit("one", "1 per day")));
    free.limit(FakeRequest.get("/health"));
    FakeRequest denied = FakeRequest.get("/health");
    assertThat(rejected(free.limit(denied)).status()).isEqualTo(429);
    enter(free, "/other", 1);
    assertThat(free.limit(denied.rewrittenTo("/error"))).isInstanceOf(Passed.class);
    assertThat(inFlight()).isEqualTo(1);
  }

  /** As many at once as may be. */
  private void serve(RuleLimiter following, Duration latency, int status) {
    List<Completion> running = enter(following, "/other", gate.stats().orElseThrow().number());
    time.advance(latency);
    running.forEach(completion -> completion.completed(status));
  }

  private static void end(Completion completion, int how) {
    switch (how) {
      case 0 -> completion.completed(200);
      case 1 -> completion.completed(500);
      default -> completion.failed();
    }
    completion.completed(200);
  }

  @Test
  void what_waits_for_its_permits_is_not_in_the_application() {
    RuleLimiter limiter = limiter(2, 2, delaying("1 per minute"));
    enter(limiter, "/slow", 1);
    Delayed waiting = (Delayed) limiter.limit(FakeRequest.get("/slow").waitingAside());
    assertThat(inFlight()).isEqualTo(1);
    waiting.leave();
    assertThat(inFlight()).isEqualTo(1);
  }

  @Test
  void what_has_waited_is_let_in_again_and_leaves_when_it_ends() {
    RuleLimiter limiter = limiter(2, 2, delaying("20 per second, burst 1"));
    enter(limiter, "/slow", 1).get(0).completed(200);
    Outcome late = late(limiter.limit(FakeRequest.get("/slow").waitingAside()));
    assertThat(inFlight()).isEqualTo(1);
    late.completion().orElseThrow().completed(200);
    assertThat(inFlight()).isZero();
  }

  @Test
  void what_has_waited_is_shed_where_there_is_no_room_then_and_charged_nothing() {
    RuleLimiter limiter = limiter(2, 2, delaying("1 per second, burst 1", "3 per day window"));
    List<Completion> first = enter(limiter, "/slow", 1);
    Outcome waiting = limiter.limit(FakeRequest.get("/slow").waitingAside());
    List<Completion> other = enter(limiter, "/other", 1);
    time.advance(Duration.ofSeconds(1));
    assertThat(rejected(late(waiting)).status()).isEqualTo(503);
    assertThat(inFlight()).isEqualTo(2);
    first.get(0).completed(200);
    other.get(0).completed(200);
    for (int i = 0; i < 2; i++) {
      enter(limiter, "/slow", 1).get(0).completed(200);
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(rejected(limiter.limit(FakeRequest.get("/slow"))).status()).isEqualTo(429);
  }

  @Test
  void what_waits_on_its_thread_is_not_in_the_application_either() throws Exception {
    RuleLimiter limiter = limiter(2, 2, delaying("1 per second, burst 1"));
    enter(limiter, "/slow", 1).get(0).completed(200);
    ExecutorService client = Executors.newSingleThreadExecutor();
    try {
      Future<Outcome> waiting = client.submit(() -> limiter.limit(FakeRequest.get("/slow")));
      Awaitility.await().until(() -> inFlight() == 0 && !waiting.isDone());
      List<Completion> others = enter(limiter, "/other", 2);
      assertThat(rejected(waiting.get()).status()).isEqualTo(503);
      others.forEach(completion -> completion.completed(200));
      assertThat(inFlight()).isZero();
    } finally {
      client.shutdown();
    }
  }

  @Test
  void what_a_later_rule_denies_has_left_and_is_no_measure() {
    Rule bound = Rules.bound("bound", "ip", Rules.limit("once", "1 per hour"));
    RuleLimiter limiter = limiter(4, 4);
    for (int i = 0; i < 3; i++) {
      FakeRequest request = FakeRequest.get("/late");
      Completion completion = limiter.limit(request).completion().orElseThrow();
      Outcome later = limiter.limit(request, List.of(bound));
      assertThat(inFlight()).isEqualTo(later instanceof Rejected ? 0 : 1);
      completion.completed(later instanceof Rejected ? 429 : 200);
      assertThat(inFlight()).isZero();
    }
  }

  private static Rule delaying(String... limits) {
    NamedLimit[] named =
        Stream.of(limits).map(text -> Rules.limit(text, text)).toArray(NamedLimit[]::new);
    return matching("slow", "/slow", named).toBuilder()
        .onDenial(OnDenial.delayUpTo(Duration.ofMinutes(5)))
        .build();
  }

  private static Outcome late(Outcome waiting) {
    return ((Delayed) waiting).later().toCompletableFuture().join();
  }

  private static List<Completion> enter(RuleLimiter limiter, String path, int times) {
    List<Completion> running = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      running.add(limiter.limit(FakeRequest.get(path)).completion().orElseThrow());
    }
    return running;
  }

  private int inFlight() {
    return gate.stats().orElseThrow().inFlight();
  }

  private RuleLimiter limiter(int from, int to, Rule... rules) {
    return limiter(store, from, to, rules);
  }

  /** With a quarter for checkout, if there is one. */
  private RuleLimiter limiter(LimitStore store, int from, int to, Rule... rules) {
    boolean hasCheckout = Stream.of(rules).anyMatch(rule -> rule.name().equals("checkout"));
    Map<String, Integer> reserved = hasCheckout ? Map.of("checkout", 25) : Map.of();
    RequestMatcher shed = Rules.except("/**", "/health");
    Optional<Overload> overload = Optional.of(new Overload(from, from, to, shed, reserved));
    gate.follow(overload);
    RuleLimiter.Settings settings =
        RuleLimiter.Settings.DEFAULT
            .withOverload(overload.get())
            .withListener(
                new RuleListener() {
                  @Override
                  public void onShed() {
                    received.incrementAndGet();
                  }
                });
    PermitManager permitManager =
        PermitManager.of(store, settings.deadline(), LimiterListener.NONE);
    return new RuleLimiter(
        List.of(rules),
        settings,
        new RuleLimiter.Node(store, WaitQueues.of(permitManager), gate, Ticker.system()));
  }

  private static Rule matching(String name, String pattern, NamedLimit... limits) {
    return Rules.rule(name, RequestMatcher.of(pattern), "ip", limits);
  }
}
