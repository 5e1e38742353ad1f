package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualPermits;
import dev.weir.fixture.ManualScheduler;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A request that waits has left the application, and is admitted again when its turn comes. */
class ReadmissionTest extends LimiterUnderTest {

  private static final NamedLimit PACE = Rules.limit("pace", "1 per second");
  private static final NamedLimit DAILY = Rules.limit("daily", "5 per day");
  private static final Duration TURN = Duration.ofSeconds(1);

  private final OverloadGate gate = new OverloadGate(time);
  private final ManualScheduler turns = new ManualScheduler(time);
  private final Rule slow = delaying("slow", "/slow", "ip");
  private final Rule checkout =
      Rules.rule("checkout", RequestMatcher.of("/checkout"), "ip", Rules.PLENTY);
  private final Rule perUser = delaying("per-user", "/checkout", "principal");

  @Test
  void it_has_left_before_its_turn_can_come() throws Exception {
    RuleLimiter limiter = limiter(store, 1, slow);
    serve(limiter.limit(FakeRequest.get("/slow")));
    FakeRequest request = FakeRequest.get("/other").waitingAside();
    limiter.limit(request);
    FutureTask<Outcome> waiting = new FutureTask<>(() -> limiter.limit(request, List.of(slow)));
    Thread client = new Thread(waiting, "client");
    synchronized (gate) {
      client.start();
      Awaitility.await("it leaves").until(() -> client.getState() == Thread.State.BLOCKED);
      turns.advance(TURN);
    }
    assertThat(later(waiting.get()).join()).isInstanceOf(Passed.class);
  }

  @Test
  void it_keeps_the_share_that_it_was_admitted_by() {
    RuleLimiter limiter = limiter(store, 4, checkout, perUser);
    serve(limiter.limit(FakeRequest.get("/checkout").principal("ann")));
    FakeRequest request = FakeRequest.get("/checkout").waitingAside();
    limiter.limitBeforeAuthentication(request);
    Outcome waiting = limiter.limitAfterAuthentication(request.principal("ann"));
    enter(limiter, 3);
    assertThat(rejected(limiter.limit(FakeRequest.get("/other"))).status()).isEqualTo(503);
    turns.advance(TURN);
    assertThat(later(waiting).join()).isInstanceOf(Passed.class);
  }

  @Test
  void where_there_is_no_room_its_error_page_is_not_charged() {
    RuleLimiter limiter = limiter(store, 2, slow);
    serve(limiter.limit(FakeRequest.get("/slow")));
    FakeRequest request = FakeRequest.get("/slow").waitingAside();
    Outcome waiting = limiter.limit(request);
    enter(limiter, 2);
    turns.advance(TURN);
    assertThat(rejected(later(waiting).join()).status()).isEqualTo(503);
    assertThat(limiter.limit(request)).isEqualTo(Passed.SILENTLY);
  }

  @Test
  void it_is_admitted_when_it_gives_up_its_wait_and_is_decided_at_once() {
    RuleLimiter limiter = limiter(store, 2, slow);
    serve(limiter.limit(FakeRequest.get("/slow")));
    FakeRequest request = FakeRequest.get("/slow").waitingAside();
    ((Delayed) limiter.limit(request)).leave();
    assertThat(inFlight()).isZero();
    time.advance(TURN);
    Outcome outcome = limiter.limit(request);
    assertThat(inFlight()).isEqualTo(1);
    serve(outcome);
    assertThat(inFlight()).isZero();
  }

  @Test
  void it_is_charged_nothing_where_its_container_has_ended_it_while_it_was_decided() {
    FakeRequest request = FakeRequest.get("/slow").waitingAside();
    Rule shadow =
        Rules.rule("shadow", RequestMatcher.of("/slow"), "ip", DAILY).toBuilder()
            .onDenial(OnDenial.SHADOW)
            .build();
    RuleLimiter limiter = limiter(new Recycling(store, request), 2, slow, shadow);
    serve(limiter.limit(FakeRequest.get("/slow")));
    CompletableFuture<Outcome> later = later(limiter.limit(request));
    turns.advance(TURN);
    assertThat(later).isCompletedExceptionally();
    Rule peek = Rules.rule("look", RequestMatcher.of("/look"), "ip", DAILY);
    assertThat(field(limiter(peek).limit(FakeRequest.get("/look")), "RateLimit"))
        .as("of five, less one that was served and this one")
        .startsWith("\"daily\";r=3;");
  }

  /** Recycles a request when its shadow is decided, which is the second decision of a shadow. */
  private static final class Recycling extends DelegatingStore {

    private final FakeRequest request;
    private int shadows;

    Recycling(LimitStore store, FakeRequest request) {
      super(store);
      this.request = request;
    }

    @Override
    public Decision decide(AcquireRequest acquire) throws StoreUnavailableException {
      boolean isShadow = acquire.charges().get(0).counter().name().equals("daily");
      shadows += isShadow ? 1 : 0;
      if (isShadow && shadows == 2) {
        request.recycle();
      }
      return super.decide(acquire);
    }
  }

  private static Rule delaying(String name, String pattern, String subject) {
    return Rules.rule(name, RequestMatcher.of(pattern), subject, PACE).toBuilder()
        .onDenial(OnDenial.delayUpTo(Duration.ofMinutes(1)))
        .build();
  }

  private static CompletableFuture<Outcome> later(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Delayed.class);
    return ((Delayed) outcome).later().toCompletableFuture();
  }

  private static void serve(Outcome outcome) {
    outcome.completion().orElseThrow().completed(200);
  }

  private static List<Completion> enter(RuleLimiter limiter, int times) {
    List<Completion> running = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      running.add(limiter.limit(FakeRequest.get("/other")).completion().orElseThrow());
    }
    return running;
  }

  private int inFlight() {
    return gate.stats().orElseThrow().inFlight();
  }

  /** With a quarter for checkout, if there is one. */
  private RuleLimiter limiter(LimitStore store, int number, Rule... rules) {
    Map<String, Integer> reserved =
        List.of(rules).contains(checkout) ? Map.of("checkout", 25) : Map.of();
    Overload overload = new Overload(number, number, number, RequestMatcher.of("/**"), reserved);
    gate.follow(Optional.of(overload));
    RuleLimiter.Settings settings = RuleLimiter.Settings.DEFAULT.withOverload(overload);
    return new RuleLimiter(
        List.of(rules),
        settings,
        new RuleLimiter.Node(
            store, ManualPermits.queues(store, settings.deadline(), time, turns), gate, time));
  }
}
