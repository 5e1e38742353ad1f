package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.DelegatingStore;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.decide.QueuedDecision;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.local.LocalLimitStore;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that wait until they can run, charged as of then. */
class DelayTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final NamedLimit PACE = Rules.limit("pace", "4 per second, burst 1");
  private static final NamedLimit TINY = Rules.limit("tiny", "1 per hour");
  private static final NamedLimit DAILY = Rules.limit("daily", "100 per day window");

  private final LimitStore store = LocalLimitStore.of();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Rule delaying = delaying("delay", LONG, PACE);

  @AfterEach
  void close() {
    clients.shutdown();
    store.close();
  }

  private static Rule delaying(String name, Duration maxWait, NamedLimit... limits) {
    return Rules.rule(name, RequestMatcher.of("/**"), "ip", limits).toBuilder()
        .onDenial(OnDenial.delayUpTo(maxWait))
        .build();
  }

  private static Rule rejecting(String name, NamedLimit... limits) {
    return Rules.rule(name, RequestMatcher.of("/**"), "ip", limits);
  }

  private RuleLimiter limiter(Rule... rules) {
    return RuleLimiter.of(List.of(rules), store, RuleLimiter.Settings.DEFAULT);
  }

  private static FakeRequest aside() {
    return FakeRequest.get("/").waitingAside();
  }

  private static CompletableFuture<Outcome> later(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Delayed.class);
    return ((Delayed) outcome).later().toCompletableFuture();
  }

  @Test
  void what_another_rule_weighs_keeps_its_thread_on_which_it_is_weighed() {
    Rule weighing =
        Rules.rule("weigh", RequestMatcher.of("/**"), "ip", Rules.limit("traffic", "1 MB per hour"))
            .toBuilder()
            .cost(new Cost.OfResponse(10))
            .build()
            .toBuilder()
            .onDenial(OnDenial.DEGRADE)
            .build();
    RuleLimiter limiter = limiter(delaying, weighing);
    assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
    assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
  }

  @Test
  void one_subject_has_a_quarter_of_the_places_and_others_have_the_rest() {
    RuleLimiter limiter = limiter(delaying("held", LONG, Rules.limit("one", "1 concurrent")));
    List<Delayed> waiting = new ArrayList<>();
    for (int subject = 0; subject < 4; subject++) {
      String address = "192.0.2." + subject;
      assertThat(limiter.limit(aside().from(address))).isInstanceOf(Passed.class);
      for (int i = 0; i < WaitQueues.MOST_WAITING / 4; i++) {
        waiting.add((Delayed) limiter.limit(aside().from(address)));
      }
      assertThat(limiter.limit(aside().from(address))).isInstanceOf(Rejected.class);
    }
    assertThat(limiter.limit(aside().from("192.0.2.9"))).isInstanceOf(Passed.class);
    assertThat(limiter.limit(aside().from("192.0.2.9")))
        .as("all places are taken")
        .isInstanceOf(Rejected.class);
    waiting.forEach(Delayed::leave);
    ((Delayed) limiter.limit(aside().from("192.0.2.9"))).leave();
    ((Delayed) limiter.limit(aside().from("192.0.2.0"))).leave();
  }

  @Test
  void a_second_cookie_takes_no_further_places() {
    Rule held =
        Rules.rule(
                "held", RequestMatcher.of("/**"), "cookie:sid", Rules.limit("one", "1 concurrent"))
            .toBuilder()
            .onDenial(OnDenial.delayUpTo(LONG))
            .build();
    RuleLimiter limiter = limiter(held);
    assertThat(limiter.limit(aside().cookie("sid", "K"))).isInstanceOf(Passed.class);
    List<Delayed> waiting = new ArrayList<>();
    for (int i = 0; i < WaitQueues.MOST_WAITING / 4; i++) {
      waiting.add((Delayed) limiter.limit(aside().cookie("sid", "K")));
    }
    assertThat(limiter.limit(aside().cookie("sid", "z").cookie("sid", "K")))
        .isInstanceOf(Rejected.class);
    waiting.forEach(Delayed::leave);
  }

  @Test
  void many_keys_of_one_address_have_a_quarter_of_the_places_together() {
    Rule held =
        Rules.rule(
                "held",
                RequestMatcher.of("/**"),
                "header:X-Key",
                Rules.limit("one", "1 concurrent"))
            .toBuilder()
            .onDenial(OnDenial.delayUpTo(LONG))
            .build();
    RuleLimiter limiter = limiter(held);
    List<Delayed> waiting = new ArrayList<>();
    for (String key : List.of("a", "b", "c", "d")) {
      assertThat(limiter.limit(aside().header("X-Key", key))).isInstanceOf(Passed.class);
      for (int i = 0; i < WaitQueues.MOST_WAITING / 16; i++) {
        waiting.add((Delayed) limiter.limit(aside().header("X-Key", key)));
      }
    }
    assertThat(limiter.limit(aside().header("X-Key", "a"))).isInstanceOf(Rejected.class);
    Outcome other = limiter.limit(aside().header("X-Key", "a").from("192.0.2.9"));
    assertThat(other).as("another address").isInstanceOf(Delayed.class);
    ((Delayed) other).leave();
    waiting.forEach(Delayed::leave);
  }

  @Test
  void subjects_that_the_server_chose_share_no_places_for_their_address() {
    Rule held =
        Rules.rule(
                "held", RequestMatcher.of("/**"), "principal", Rules.limit("one", "1 concurrent"))
            .toBuilder()
            .onDenial(OnDenial.delayUpTo(LONG))
            .build();
    RuleLimiter limiter = limiter(held);
    List<Delayed> waiting = new ArrayList<>();
    for (String user : List.of("ann", "bob")) {
      assertThat(limiter.limit(aside().principal(user))).isInstanceOf(Passed.class);
      for (int i = 0; i < WaitQueues.MOST_WAITING / 4; i++) {
        waiting.add((Delayed) limiter.limit(aside().principal(user)));
      }
    }
    waiting.forEach(Delayed::leave);
  }

  @Test
  void clients_without_an_address_are_not_one_address() {
    Rule held =
        Rules.rule(
                "held",
                RequestMatcher.of("/**"),
                "header:X-Key",
                Rules.limit("one", "1 concurrent"))
            .toBuilder()
            .onDenial(OnDenial.delayUpTo(LONG))
            .build();
    RuleLimiter limiter = limiter(held);
    List<Delayed> waiting = new ArrayList<>();
    for (String key : List.of("a", "b")) {
      assertThat(limiter.limit(aside().from(null).header("X-Key", key))).isInstanceOf(Passed.class);
      for (int i = 0; i < WaitQueues.MOST_WAITING / 4; i++) {
        waiting.add((Delayed) limiter.limit(aside().from(null).header("X-Key", key)));
      }
    }
    waiting.forEach(Delayed::leave);
  }

  @Test
  void a_place_is_left_where_the_store_throws() {
    AtomicBoolean breaks = new AtomicBoolean(true);
    NamedLimit shared = Rules.limit("shared", "1 per 5s, burst 2");
    Rule strict =
        Rules.rule(
            "strict",
            RequestMatcher.of("/strict"),
            "ip",
            shared,
            Rules.limit("tiny", "1 per hour"));
    RuleLimiter limiter =
        RuleLimiter.of(
            List.of(delaying("delay", LONG, shared), strict),
            new Mended(store, breaks),
            RuleLimiter.Settings.DEFAULT);
    for (int i = 0; i <= WaitQueues.MOST_WAITING; i++) {
      FakeRequest request = FakeRequest.get("/strict").waitingAside().from(address(i));
      assertThat(rejected(limiter.limit(request)).status()).isEqualTo(503);
    }
    breaks.set(false);
    exhaust(limiter, 2);
    assertThat(later(limiter.limit(aside()))).as("there are places").isNotDone();
  }

  private static String address(int number) {
    return "198.18." + number / 250 + "." + number % 250;
  }

  private static void exhaust(RuleLimiter limiter, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
    }
  }

  /** Throws until its bug is mended. */
  private static final class Mended extends DelegatingStore {

    private final AtomicBoolean breaks;

    Mended(LimitStore store, AtomicBoolean breaks) {
      super(store);
      this.breaks = breaks;
    }

    @Override
    public Decision decide(AcquireRequest acquire) throws StoreUnavailableException {
      if (breaks.get()) {
        throw new IllegalStateException("a bug");
      }
      return store.decide(acquire);
    }
  }

  @Test
  void what_is_denied_waits_and_passes_in_order_with_the_fields_of_its_decision() {
    RuleLimiter limiter = limiter(delaying);
    assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
    List<Integer> order = new ArrayList<>();
    List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      CompletableFuture<Outcome> later = later(limiter.limit(aside()));
      waiting.add(
          later.thenApply(
              outcome -> {
                synchronized (order) {
                  order.add(number);
                }
                return outcome;
              }));
    }
    for (CompletableFuture<Outcome> each : waiting) {
      Outcome outcome = each.join();
      assertThat(outcome).isInstanceOf(Passed.class);
      assertThat(field(outcome, "RateLimit-Policy")).isEqualTo("\"pace\";q=1;w=1");
    }
    assertThat(order).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void what_is_decided_when_it_runs_has_time_again_whether_it_waited_on_its_thread_or_not() {
    List<AcquireRequest> late = new ArrayList<>();
    LimitStore punctual = new Punctual(store, late);
    Rule shadow = rejecting("shadow", DAILY).toBuilder().onDenial(OnDenial.SHADOW).build();
    Rule slow = delaying("slow", LONG, Rules.limit("slow", "4 per second, burst 1"));
    RuleLimiter limiter =
        RuleLimiter.of(List.of(slow, shadow), punctual, RuleLimiter.Settings.DEFAULT);
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Passed.class);
    assertThat(limiter.limit(FakeRequest.get("/"))).as("on its thread").isInstanceOf(Passed.class);
    assertThat(later(limiter.limit(aside())).join()).as("aside").isInstanceOf(Passed.class);
    assertThat(late).as("asked when there was no time left").isEmpty();
  }

  /** Records the requests that arrive too late to be decided. */
  private static final class Punctual extends DelegatingStore {

    private final List<AcquireRequest> late;

    Punctual(LimitStore store, List<AcquireRequest> late) {
      super(store);
      this.late = late;
    }

    @Override
    public Decision decide(AcquireRequest acquire) throws StoreUnavailableException {
      if (acquire.deadline().hasPassed()) {
        late.add(acquire);
      }
      return store.decide(acquire);
    }
  }

  @Test
  void what_would_wait_too_long_is_rejected_at_once() {
    RuleLimiter limiter = limiter(delaying("delay", Duration.ofSeconds(2), TINY));
    limiter.limit(aside());
    Rejected rejected = rejected(limiter.limit(aside()));
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(field(rejected, "Retry-After")).isNotNull();
  }

  @Test
  void who_is_denied_by_a_rule_that_rejects_does_not_wait() {
    RuleLimiter limiter = limiter(delaying, rejecting("strict", TINY));
    assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
    assertThat(rejected(limiter.limit(aside())).status()).isEqualTo(429);
  }

  @Test
  void a_counter_that_a_rejecting_rule_charges_too_is_not_waited_for() {
    NamedLimit shared = Rules.limit("shared", "1 per 5s, burst 2");
    RuleLimiter limiter = limiter(delaying("delay", LONG, shared), rejecting("strict", shared));
    assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
    assertThat(limiter.limit(aside())).isInstanceOf(Rejected.class);
  }

  @Test
  void the_rules_that_reject_are_charged_when_it_runs() {
    RuleLimiter limiter = limiter(delaying, rejecting("all", DAILY));
    limiter.limit(aside());
    Delayed delayed = (Delayed) limiter.limit(aside());
    assertThat(remaining(limiter(rejecting("look", DAILY)))).isEqualTo(98);
    assertThat(later(delayed).join()).isInstanceOf(Passed.class);
    assertThat(remaining(limiter(rejecting("look", DAILY)))).isEqualTo(96);
  }

  private static long remaining(RuleLimiter limiter) {
    String field = String.valueOf(field(limiter.limit(FakeRequest.get("/")), "RateLimit"));
    return Long.parseLong(field.replaceAll(".*;r=(\\d+);.*", "$1"));
  }

  @Test
  void of_several_rules_the_least_patient_says_how_long() {
    NamedLimit slow = Rules.limit("slow", "1 per 10s");
    RuleLimiter limiter =
        limiter(delaying("long", LONG, slow), delaying("short", Duration.ofSeconds(1), PACE));
    limiter.limit(aside());
    assertThat(limiter.limit(aside())).isInstanceOf(Rejected.class);
  }

  @Test
  void who_leaves_gives_his_place_back() {
    RuleLimiter limiter =
        limiter(delaying("delay", Duration.ofSeconds(15), Rules.limit("ten", "1 per 10s")));
    limiter.limit(aside());
    Delayed gone = (Delayed) limiter.limit(aside());
    gone.leave();
    assertThat(later(gone)).isCompletedExceptionally();
    assertThat(limiter.limit(aside())).isInstanceOf(Delayed.class);
    assertThat(limiter.limit(aside())).as("10 s behind him").isInstanceOf(Rejected.class);
  }

  @Test
  void what_counts_only_for_some_responses_is_given_back_after_the_wait_as_well() {
    Rule failures =
        delaying("delay", LONG, Rules.limit("two", "1 per 500ms, burst 1")).toBuilder()
            .counted(CountedResponses.parse(List.of("401")))
            .onDenial(OnDenial.delayUpTo(LONG))
            .build();
    RuleLimiter limiter = limiter(failures);
    assertThat(limiter.limit(aside()).completion()).isPresent();
    Outcome waited = later(limiter.limit(aside())).join();
    waited.completion().orElseThrow().completed(200);
    assertThat(limiter.limit(aside())).isInstanceOf(Passed.class);
  }

  @Test
  void a_request_that_has_waited_is_decided_once() {
    RuleLimiter limiter = limiter(delaying);
    FakeRequest request = aside();
    limiter.limit(aside());
    assertThat(later(limiter.limit(request)).join()).isInstanceOf(Passed.class);
    assertThat(limiter.limit(request)).isInstanceOf(Passed.class);
  }

  @Test
  void a_request_that_cannot_wait_aside_waits_on_its_thread() {
    RuleLimiter limiter = limiter(delaying);
    for (int i = 0; i < 4; i++) {
      assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Passed.class);
    }
  }

  @Test
  void a_few_threads_wait_a_quarter_of_them_for_one_subject() throws Exception {
    NamedLimit slow = Rules.limit("slow", "1 per 2s");
    RuleLimiter limiter = limiter(delaying("delay", Duration.ofMinutes(5), slow));
    List<Future<Outcome>> waiting = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int subject = 0; subject < 4; subject++) {
      String address = "192.0.2." + subject;
      limiter.limit(aside().from(address));
      for (int i = 0; i < QueuedDecision.MOST_THREADS / 4; i++) {
        waiting.add(clients.submit(() -> onItsThread(limiter, address, threads)));
      }
      int all = waiting.size();
      Awaitility.await().until(() -> areWaiting(threads, all));
      assertRefusedAtOnce(limiter, address);
    }
    limiter.limit(aside().from("192.0.2.9"));
    assertRefusedAtOnce(limiter, "192.0.2.9");
    threads.forEach(Thread::interrupt);
    for (Future<Outcome> each : waiting) {
      assertThat(rejected(each.get()).status()).isEqualTo(503);
    }
    assertThat(limiter.limit(aside())).as("there is room again").isInstanceOf(Delayed.class);
  }

  private static Outcome onItsThread(RuleLimiter limiter, String address, List<Thread> threads) {
    synchronized (threads) {
      threads.add(Thread.currentThread());
    }
    return limiter.limit(FakeRequest.get("/").from(address));
  }

  private static void assertRefusedAtOnce(RuleLimiter limiter, String address) {
    Rejected rejected = rejected(limiter.limit(FakeRequest.get("/").from(address)));
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(field(rejected, "Retry-After")).isNotNull();
  }

  private static boolean areWaiting(List<Thread> threads, int all) {
    synchronized (threads) {
      return threads.size() == all
          && threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }
  }

  @Test
  void without_a_store_the_policy_answers_at_once() {
    store.close();
    assertThat(rejected(limiter(delaying).limit(aside())).status()).isEqualTo(503);
  }

  @Test
  void a_store_that_breaks_is_answered_by_the_policy() {
    LimitStore broken = new Breaking();
    RuleLimiter limiter = RuleLimiter.of(List.of(delaying), broken, RuleLimiter.Settings.DEFAULT);
    assertThat(rejected(limiter.limit(aside())).status()).isEqualTo(503);
    assertThat(rejected(limiter.limit(FakeRequest.get("/"))).status()).isEqualTo(503);
  }

  @Test
  void a_wait_has_its_bounds() {
    assertOutOfBounds(0, "0ms");
    assertOutOfBounds(-1_000, "-1000ms");
    assertOutOfBounds(600_001, "600001 milliseconds");
  }

  private static void assertOutOfBounds(long millis, String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnDenial.delayUpTo(Duration.ofMillis(millis)))
        .withMessage("delay up to: " + text + " (expected: more than 0, at most 10 minutes)");
  }

  /** A store with a bug. */
  private static final class Breaking implements LimitStore {

    @Override
    public Decision decide(AcquireRequest acquire) {
      throw new IllegalStateException("a bug");
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      throw new StoreUnavailableException("none", Duration.ofSeconds(1), null);
    }

    @Override
    public void close() {}
  }
}
