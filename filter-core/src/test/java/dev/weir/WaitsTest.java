package dev.weir;

import static dev.weir.Asks.ask;
import static dev.weir.Asks.charge;
import static dev.weir.Asks.peek;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Waiting for a whole ask: charged when it runs, in order, and left at any time. */
class WaitsTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Subject ALICE = Subject.of("user", "alice");
  private static final Duration TICK = Duration.ofNanos(1_000);

  private final ManualTime time = new ManualTime();
  private final ManualAlarm alarm = new ManualAlarm(time);
  private final SwitchableStore store =
      new SwitchableStore(
          new LocalLimitStore(LocalOptions.embedded().withTime(time, time::instant)));
  private final Holds holds = new Holds(store, DEADLINE, LimiterListener.NONE, alarm, time);
  private final Waits waits = new Waits(holds, new Lines(alarm, Runnable::run));
  private final Charge call = charge("calls", "1 per second, burst 2", ALICE, 1);
  private final Charge daily = charge("daily", "100 per day window", ALICE, 1);
  private final Charge other = charge("other", "1 per minute", ALICE, 1);
  private final Charge running = charge("running", "1 concurrent", ALICE, 1);

  private CompletableFuture<Hold> wait(Duration maxWait, Charge... charges) {
    Ask ask = ask(charges);
    return waits.decide(
        ask, Set.copyOf(ask.charges().stream().map(Charge::counter).toList()), maxWait);
  }

  @Test
  void nothing_is_charged_before_it_runs_and_everything_then() {
    List<CompletableFuture<Hold>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(wait(LONG, call, daily));
    }
    assertThat(remaining(daily)).isEqualTo(98);
    for (int ran = 3; ran <= 5; ran++) {
      alarm.advance(Duration.ofSeconds(1).minus(TICK));
      assertThat(done(waiting)).isEqualTo(ran - 1);
      alarm.advance(TICK);
      assertThat(done(waiting)).isEqualTo(ran);
      assertThat(waiting.get(ran - 1)).as("in order").isCompleted();
      assertThat(remaining(daily)).isEqualTo(100 - ran);
    }
    assertThat(alarm.waiting()).as("nothing is left to be done").isZero();
    assertThat(waits.waiting()).isZero();
  }

  @Test
  void who_comes_later_gets_nothing_that_somebody_waits_for() {
    drain();
    CompletableFuture<Hold> first = wait(LONG, charge("calls", "1 per second, burst 2", ALICE, 2));
    alarm.advance(Duration.ofMillis(1_500));
    CompletableFuture<Hold> hasty = wait(Duration.ofMillis(499), call);
    CompletableFuture<Hold> second = wait(Duration.ofMillis(500), call, daily);
    assertThat(hasty).as("a bucket alone keeps its places in the store").isCompleted();
    assertThat(first).isNotDone();
    assertThat(now(second).decision().allowed()).as("another line").isFalse();
  }

  @Test
  void whose_time_is_over_leaves_what_is_there_to_those_before_him() {
    drain();
    CompletableFuture<Hold> first =
        wait(LONG, charge("calls", "1 per second, burst 2", ALICE, 2), twice(daily));
    alarm.advance(Duration.ofSeconds(1));
    CompletableFuture<Hold> hasty = wait(Duration.ofMillis(900), call, daily);
    assertThat(hasty).isNotDone();
    alarm.advance(Duration.ofMillis(900));
    assertThat(now(hasty).decision().retryAfter()).isPresent();
    alarm.advance(Duration.ofMillis(100));
    assertThat(now(first).decision().allowed()).isTrue();
    assertThat(now(wait(Duration.ZERO, call, daily)).decision().allowed()).isFalse();
  }

  @Test
  void who_is_denied_by_what_he_does_not_wait_for_is_refused_at_once() {
    assertThat(wait(LONG, other)).isCompleted();
    Ask ask = ask(call, other);
    CompletableFuture<Hold> refused = waits.decide(ask, Set.of(call.counter()), LONG);
    assertThat(now(refused).decision().retryAfter()).hasValue(Duration.ofMinutes(1));
    drain();
    CompletableFuture<Hold> first = waits.decide(ask(call, daily), Set.of(call.counter()), LONG);
    CompletableFuture<Hold> behind = waits.decide(ask(call, other), Set.of(call.counter()), LONG);
    assertThat(first).isNotDone();
    assertThat(now(behind).decision().allowed()).as("in the same line").isFalse();
    assertThat(waits.waiting()).isEqualTo(1);
  }

  @Test
  void who_has_too_many_before_him_is_refused_at_once() {
    drain();
    for (int i = 0; i < 8; i++) {
      assertThat(wait(LONG, call, daily)).isNotDone();
    }
    Duration five = Duration.ofSeconds(5);
    CompletableFuture<Hold> refused = wait(five, call, daily);
    assertThat(now(refused).decision().retryAfter()).hasValue(five);
    assertThat(wait(Duration.ofSeconds(9), call, daily)).isNotDone();
  }

  @Test
  void to_cancel_is_to_leave_and_the_next_one_asks() {
    drain();
    Charge both = charge("calls", "1 per second, burst 2", ALICE, 2);
    CompletableFuture<Hold> first = wait(LONG, both, daily);
    CompletableFuture<Hold> second = wait(LONG, call, daily);
    alarm.advance(Duration.ofSeconds(1));
    assertThat(second).isNotDone();
    first.cancel(true);
    assertThat(second).isCompleted();
    assertThat(alarm.waiting()).isZero();
  }

  @Test
  void to_complete_it_in_any_other_way_gives_back_as_well() {
    drain();
    CompletableFuture<Hold> impatient = wait(LONG, call);
    impatient.completeExceptionally(new IllegalStateException("too late for me"));
    CompletableFuture<Hold> answered = wait(LONG, call);
    answered.complete(Hold.of(Decision.open()));
    assertThat(peek(store, call).retryAfter()).hasValue(Duration.ofSeconds(1));
    assertThat(alarm.waiting()).isZero();
  }

  @Test
  void what_is_done_with_an_answer_is_done_under_no_lock() throws Exception {
    drain();
    assertAnsweredUnderNoLock(wait(LONG, call));
    drain();
    assertAnsweredUnderNoLock(wait(LONG, call, daily));
  }

  /** Somebody else leaves while something is done with the answer. */
  private void assertAnsweredUnderNoLock(CompletableFuture<Hold> waiting) throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CompletableFuture<Boolean> hasReturned =
        waiting.thenApply(
            hold -> {
              new Thread(() -> leave(waiting, left)).start();
              return Latches.opens(left);
            });
    assertThat(hasReturned).isNotDone();
    alarm.advance(Duration.ofSeconds(3));
    assertThat(hasReturned.get()).isTrue();
  }

  private static void leave(CompletableFuture<Hold> waiting, CountDownLatch left) {
    waiting.cancel(true);
    left.countDown();
  }

  @Test
  void what_is_released_on_this_node_is_granted_at_once_and_elsewhere_soon() {
    Hold held = now(wait(LONG, running));
    CompletableFuture<Hold> second = wait(LONG, running);
    CompletableFuture<Hold> third = wait(LONG, running);
    assertThat(second).isNotDone();
    held.close();
    assertThat(now(second).isHeld()).isTrue();
    assertThat(third).isNotDone();
    Asks.amend(store, new Amendment.Reset(running.counter()));
    alarm.advance(Duration.ofMillis(100));
    assertThat(now(third).isHeld()).isTrue();
  }

  @Test
  void who_waits_for_what_is_held_is_refused_when_his_time_is_over() {
    Hold held = now(wait(LONG, running));
    CompletableFuture<Hold> waiting = wait(Duration.ofMillis(250), running);
    alarm.advance(Duration.ofMillis(249));
    assertThat(waiting).isNotDone();
    alarm.advance(Duration.ofMillis(1));
    assertThat(now(waiting).decision().allowed()).isFalse();
    held.close();
    assertThat(now(wait(Duration.ZERO, running)).isHeld()).isTrue();
  }

  @Test
  void an_outage_lets_nobody_wait_in_a_bucket_and_keeps_the_places_that_were_granted() {
    drain();
    CompletableFuture<Hold> waiting = wait(LONG, call);
    store.switchOff();
    assertThat(now(wait(LONG, call)).decision().source()).isEqualTo(Source.CLOSED);
    assertThat(now(wait(LONG, call, daily)).decision().source()).isEqualTo(Source.CLOSED);
    alarm.advance(Duration.ofSeconds(1));
    assertThat(now(waiting).decision().allowed()).isTrue();
  }

  @Test
  void once_closed_nobody_waits() {
    drain();
    CompletableFuture<Hold> placed = wait(LONG, call);
    CompletableFuture<Hold> inLine = wait(LONG, call, daily);
    waits.close();
    assertThat(now(placed).decision().source()).isEqualTo(Source.CLOSED);
    assertThat(now(inLine).decision().source()).isEqualTo(Source.CLOSED);
    assertThat(now(wait(LONG, call)).decision().allowed()).isFalse();
    assertThat(waits.waiting()).isZero();
  }

  @Test
  void a_store_that_is_slow_for_one_holds_up_nobody_who_needs_none() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    SlowAtLast slow = new SlowAtLast(new LocalLimitStore(LocalOptions.embedded()), stuck, end);
    Holds real = new Holds(slow, DEADLINE, LimiterListener.NONE);
    try (slow;
        real;
        Waits served = new Waits(real)) {
      Charge window = charge("slow", "1 per 50ms window", ALICE, 1);
      Charge bucket = charge("bucket", "5 per second, burst 1", ALICE, 1);
      served.decide(ask(window), Set.of(window.counter()), LONG).join();
      served.decide(ask(bucket), Set.of(bucket.counter()), LONG).join();
      CompletableFuture<Hold> held = served.decide(ask(window), Set.of(window.counter()), LONG);
      stuck.await();
      served.decide(ask(bucket), Set.of(bucket.counter()), LONG).join();
      assertThat(held).isNotDone();
      end.countDown();
      assertThat(held.join().decision().allowed()).isTrue();
      Awaitility.await().until(() -> served.waiting() == 0);
    }
  }

  @Test
  void what_is_no_wait_is_told() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wait(Duration.ofSeconds(-1), call))
        .withMessage("maxWait: PT-1S (expected: >= 0)");
    Ask look = new Ask(List.of(call), Terms.PEEK, OnOutage.LOCAL, Deadline.after(DEADLINE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> waits.decide(look, Set.of(), LONG))
        .withMessageStartingWith("terms: Peek");
  }

  /** What is answered by now. */
  private static Hold now(CompletableFuture<Hold> answer) {
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
    return peek(store, charge).remaining();
  }

  private static long done(List<CompletableFuture<Hold>> waiting) {
    return waiting.stream().filter(CompletableFuture::isDone).count();
  }

  /** Its third decision of the window takes until it is told to end. */
  private record SlowAtLast(LimitStore store, CountDownLatch stuck, CountDownLatch end)
      implements LimitStore {

    @Override
    public Decision decide(Ask ask) throws StoreUnavailableException {
      if (ask.charges().get(0).counter().name().equals("slow")
          && Thread.currentThread().getName().startsWith("weir-")) {
        stuck.countDown();
        Latches.opens(end);
      }
      return store.decide(ask);
    }

    @Override
    public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
      return store.amend(amendment, deadline);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
