package dev.weir.internal.wait;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.Latches;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.permit.Permits;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Waiting for a whole ask: charged when it runs, in order, and left at any time. */
class WaitQueuesTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Subject ALICE = Subject.of("user", "alice");
  private static final Duration TICK = Duration.ofNanos(1_000);

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final SwitchableStore store =
      new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final PermitManager permitManager =
      new PermitManager(store, DEADLINE, LimiterListener.NONE, scheduler, time);
  private final WaitQueues waitQueues =
      new WaitQueues(permitManager, new CounterQueues(scheduler, Runnable::run, Runnable::run));
  private final Charge call = charge("calls", "1 per second, burst 2", ALICE, 1);
  private final Charge daily = charge("daily", "100 per day window", ALICE, 1);
  private final Charge other = charge("other", "1 per minute", ALICE, 1);
  private final Charge running = charge("running", "1 concurrent", ALICE, 1);

  private CompletableFuture<Permits> wait(Duration maxWait, Charge... charges) {
    AcquireRequest request = request(charges);
    return waitQueues.decide(
        request, Set.copyOf(request.charges().stream().map(Charge::counter).toList()), maxWait);
  }

  @Test
  void nothing_is_charged_before_it_runs_and_everything_then() {
    List<CompletableFuture<Permits>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(wait(LONG, call, daily));
    }
    assertThat(remaining(daily)).isEqualTo(98);
    for (int ran = 3; ran <= 5; ran++) {
      scheduler.advance(Duration.ofSeconds(1).minus(TICK));
      assertThat(done(waiting)).isEqualTo(ran - 1);
      scheduler.advance(TICK);
      assertThat(done(waiting)).isEqualTo(ran);
      assertThat(waiting.get(ran - 1)).as("in order").isCompleted();
      assertThat(remaining(daily)).isEqualTo(100 - ran);
    }
    assertThat(scheduler.waiting()).as("nothing is left to be done").isZero();
    assertThat(waitQueues.waiting()).isZero();
  }

  @Test
  void who_comes_later_gets_nothing_that_somebody_waits_for() {
    drain();
    CompletableFuture<Permits> first =
        wait(LONG, charge("calls", "1 per second, burst 2", ALICE, 2));
    scheduler.advance(Duration.ofMillis(1_500));
    CompletableFuture<Permits> hasty = wait(Duration.ofMillis(499), call);
    CompletableFuture<Permits> second = wait(Duration.ofMillis(500), call, daily);
    assertThat(hasty).as("a bucket alone keeps its places in the store").isCompleted();
    assertThat(first).isNotDone();
    assertThat(now(second).decision().allowed()).as("another line").isFalse();
  }

  @Test
  void whose_time_is_over_leaves_what_is_there_to_those_before_him() {
    drain();
    CompletableFuture<Permits> first =
        wait(LONG, charge("calls", "1 per second, burst 2", ALICE, 2), twice(daily));
    scheduler.advance(Duration.ofSeconds(1));
    CompletableFuture<Permits> hasty = wait(Duration.ofMillis(900), call, daily);
    assertThat(hasty).isNotDone();
    scheduler.advance(Duration.ofMillis(900));
    assertThat(now(hasty).decision().retryAfter()).isPresent();
    scheduler.advance(Duration.ofMillis(100));
    assertThat(now(first).decision().allowed()).isTrue();
    assertThat(now(wait(Duration.ZERO, call, daily)).decision().allowed()).isFalse();
  }

  @Test
  void who_is_denied_by_what_he_does_not_wait_for_is_refused_at_once() {
    assertThat(wait(LONG, other)).isCompleted();
    AcquireRequest request = request(call, other);
    CompletableFuture<Permits> refused = waitQueues.decide(request, Set.of(call.counter()), LONG);
    assertThat(now(refused).decision().retryAfter()).hasValue(Duration.ofMinutes(1));
    drain();
    CompletableFuture<Permits> first =
        waitQueues.decide(request(call, daily), Set.of(call.counter()), LONG);
    CompletableFuture<Permits> behind =
        waitQueues.decide(request(call, other), Set.of(call.counter()), LONG);
    assertThat(first).isNotDone();
    assertThat(now(behind).decision().allowed()).as("in the same line").isFalse();
    assertThat(waitQueues.waiting()).isEqualTo(1);
  }

  @Test
  void who_has_too_many_before_him_is_refused_at_once() {
    drain();
    for (int i = 0; i < 8; i++) {
      assertThat(wait(LONG, call, daily)).isNotDone();
    }
    Duration five = Duration.ofSeconds(5);
    CompletableFuture<Permits> refused = wait(five, call, daily);
    assertThat(now(refused).decision().retryAfter()).hasValue(five);
    assertThat(wait(Duration.ofSeconds(9), call, daily)).isNotDone();
  }

  @Test
  void to_cancel_is_to_leave_and_the_next_one_asks() {
    drain();
    Charge both = charge("calls", "1 per second, burst 2", ALICE, 2);
    CompletableFuture<Permits> first = wait(LONG, both, daily);
    CompletableFuture<Permits> second = wait(LONG, call, daily);
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(second).isNotDone();
    first.cancel(true);
    assertThat(second).isCompleted();
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void to_complete_it_in_any_other_way_gives_back_as_well() {
    drain();
    CompletableFuture<Permits> impatient = wait(LONG, call);
    impatient.completeExceptionally(new IllegalStateException("too late for me"));
    CompletableFuture<Permits> replied = wait(LONG, call);
    replied.complete(Permits.of(Decision.failOpen()));
    assertThat(peek(store, call).retryAfter()).hasValue(Duration.ofSeconds(1));
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void what_is_done_with_an_answer_is_done_under_no_lock() throws Exception {
    drain();
    assertRepliedUnderNoLock(wait(LONG, call));
    drain();
    assertRepliedUnderNoLock(wait(LONG, call, daily));
  }

  /** Checks that another thread can cancel the wait while a callback handles the answer. */
  private void assertRepliedUnderNoLock(CompletableFuture<Permits> waiting) throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CompletableFuture<Boolean> hasReturned =
        waiting.thenApply(
            hold -> {
              new Thread(() -> leave(waiting, left)).start();
              return Latches.opens(left);
            });
    assertThat(hasReturned).isNotDone();
    scheduler.advance(Duration.ofSeconds(3));
    assertThat(hasReturned.get()).isTrue();
  }

  private static void leave(CompletableFuture<Permits> waiting, CountDownLatch left) {
    waiting.cancel(true);
    left.countDown();
  }

  @Test
  void what_is_released_on_this_node_is_granted_at_once_and_elsewhere_soon() {
    Permits held = now(wait(LONG, running));
    CompletableFuture<Permits> second = wait(LONG, running);
    CompletableFuture<Permits> third = wait(LONG, running);
    assertThat(second).isNotDone();
    held.close();
    assertThat(now(second).isHeld()).isTrue();
    assertThat(third).isNotDone();
    AcquireRequests.adjust(store, new Adjustment.Reset(running.counter()));
    scheduler.advance(Duration.ofMillis(100));
    assertThat(now(third).isHeld()).isTrue();
  }

  @Test
  void who_waits_for_what_is_held_is_refused_when_his_time_is_over() {
    Permits held = now(wait(LONG, running));
    CompletableFuture<Permits> waiting = wait(Duration.ofMillis(250), running);
    scheduler.advance(Duration.ofMillis(249));
    assertThat(waiting).isNotDone();
    scheduler.advance(Duration.ofMillis(1));
    assertThat(now(waiting).decision().allowed()).isFalse();
    held.close();
    assertThat(now(wait(Duration.ZERO, running)).isHeld()).isTrue();
  }

  @Test
  void a_block_of_what_is_held_that_outlasts_the_wait_denies_at_once() {
    Duration hour = Duration.ofHours(1);
    AcquireRequests.adjust(store, new Adjustment.Block(running.counter(), hour));
    assertThat(now(wait(Duration.ofSeconds(5), running)).decision().retryAfter()).hasValue(hour);
    CompletableFuture<Permits> patient = wait(hour, running);
    scheduler.advance(hour);
    assertThat(now(patient).isHeld()).isTrue();
  }

  @Test
  void a_short_block_of_what_is_held_is_waited_for_as_a_long_one_is() {
    Duration second = Duration.ofSeconds(1);
    AcquireRequests.adjust(store, new Adjustment.Block(running.counter(), second));
    assertThat(now(wait(Duration.ofMillis(999), running)).decision().retryAfter()).hasValue(second);
    int requested = store.requested();
    CompletableFuture<Permits> patient = wait(Duration.ofSeconds(2), running);
    scheduler.advance(second);
    assertThat(now(patient).isHeld()).isTrue();
    assertThat(store.requested() - requested).as("at first, and at the end").isEqualTo(2);
  }

  @Test
  void behind_a_block_what_is_held_is_requested_as_often_as_without_one() {
    Permits held = now(wait(LONG, running));
    AcquireRequests.adjust(store, new Adjustment.Block(running.counter(), Duration.ofMillis(150)));
    CompletableFuture<Permits> waiting = wait(LONG, running);
    scheduler.advance(Duration.ofMillis(160));
    assertThat(waiting).isNotDone();
    AcquireRequests.refund(store, (Decision.Counted) held.decision());
    scheduler.advance(Duration.ofMillis(100));
    assertThat(now(waiting).isHeld()).isTrue();
  }

  @Test
  void a_last_call_for_which_no_thread_is_free_is_not_made() {
    List<Runnable> requesting = new ArrayList<>();
    WaitQueues busy =
        new WaitQueues(permitManager, new CounterQueues(scheduler, requesting::add, Runnable::run));
    Charge window = charge("window", "1 per second window", ALICE, 1);
    assertThat(wait(LONG, window)).isCompleted();
    CompletableFuture<Permits> waiting =
        busy.decide(request(window), Duration.ofMillis(1_500), Function.identity());
    scheduler.advance(Duration.ofMillis(1_509));
    assertThat(waiting).isNotDone();
    scheduler.advance(Duration.ofMillis(1));
    assertThat(now(waiting).decision().allowed()).isFalse();
    int requested = store.requested();
    requesting.forEach(Runnable::run);
    assertThat(store.requested()).isEqualTo(requested);
    assertThat(busy.waiting()).isZero();
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void an_outage_lets_nobody_wait_in_a_bucket_and_keeps_the_places_that_were_granted() {
    drain();
    CompletableFuture<Permits> waiting = wait(LONG, call);
    store.switchOff();
    assertThat(now(wait(LONG, call)).decision().source()).isEqualTo(Source.FAIL_CLOSED);
    assertThat(now(wait(LONG, call, daily)).decision().source()).isEqualTo(Source.FAIL_CLOSED);
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(now(waiting).decision().allowed()).isTrue();
  }

  @Test
  void once_closed_nobody_waits() {
    drain();
    CompletableFuture<Permits> placed = wait(LONG, call);
    CompletableFuture<Permits> inLine = wait(LONG, call, daily);
    waitQueues.close();
    assertThat(now(placed).decision().source()).isEqualTo(Source.FAIL_CLOSED);
    assertThat(now(inLine).decision().source()).isEqualTo(Source.FAIL_CLOSED);
    assertThat(now(wait(LONG, call)).decision().allowed()).isFalse();
    assertThat(waitQueues.waiting()).isZero();
  }

  @Test
  void a_store_that_is_slow_for_one_holds_up_nobody_who_needs_none() throws Exception {
    int threads = 16;
    CountDownLatch stuck = new CountDownLatch(threads);
    CountDownLatch end = new CountDownLatch(1);
    SlowAtLast slow = new SlowAtLast(LocalLimitStore.of(), stuck, end);
    PermitManager real = PermitManager.of(slow, DEADLINE, LimiterListener.NONE);
    try (slow;
        real;
        WaitQueues served = WaitQueues.of(real)) {
      List<AcquireRequest> windows =
          IntStream.range(0, threads)
              .mapToObj(i -> charge("slow", "1 per second window", Subject.of("window" + i), 1))
              .map(AcquireRequests::request)
              .toList();
      Charge bucket = charge("bucket", "5 per second, burst 1", ALICE, 1);
      windows.forEach(served::decide);
      served.decide(request(bucket), Set.of(bucket.counter()), LONG).join();
      List<CompletableFuture<Permits>> held =
          windows.stream().map(window -> served.decide(window, LONG, Function.identity())).toList();
      stuck.await();
      served.decide(request(bucket), Set.of(bucket.counter()), LONG).join();
      assertThat(done(held)).isZero();
      end.countDown();
      assertThat(held).allMatch(one -> one.join().decision().allowed());
      Awaitility.await().until(() -> served.waiting() == 0);
    }
  }

  @Test
  void what_is_no_wait_is_told() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wait(Duration.ofSeconds(-1), call))
        .withMessage("maxWait: PT-1S (expected: >= 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> waitQueues.decide(request(call), Set.of(), Duration.ofSeconds(-1)))
        .withMessage("maxWait: PT-1S (expected: >= 0)");
    AcquireRequest peek =
        new AcquireRequest(List.of(call), Mode.PEEK, OnOutage.LOCAL, Deadline.after(DEADLINE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> waitQueues.decide(peek, Set.of(), LONG))
        .withMessageStartingWith("mode: Peek");
  }

  /** What is answered by now. */
  private static Permits now(CompletableFuture<Permits> answer) {
    assertThat(answer).isDone();
    return answer.join();
  }

  /** Takes what there is to be had now. */
  private void drain() {
    assertThat(now(wait(Duration.ZERO, twice(call))).decision().allowed()).isTrue();
  }

  private static Charge twice(Charge charge) {
    return new Charge(charge.counter(), 2);
  }

  private long remaining(Charge charge) {
    return peek(store, charge).binding().remaining();
  }

  private static long done(List<CompletableFuture<Permits>> waiting) {
    return waiting.stream().filter(CompletableFuture::isDone).count();
  }

  /** Delays what is asked again for the windows until the test releases it. */
  private static final class SlowAtLast extends DelegatingStore {

    private final CountDownLatch stuck;
    private final CountDownLatch end;

    SlowAtLast(LimitStore store, CountDownLatch stuck, CountDownLatch end) {
      super(store);
      this.stuck = stuck;
      this.end = end;
    }

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      if (request.charges().get(0).counter().name().equals("slow")
          && Thread.currentThread().getName().startsWith("weir-")) {
        stuck.countDown();
        Latches.opens(end);
      }
      return store.decide(request);
    }
  }
}
