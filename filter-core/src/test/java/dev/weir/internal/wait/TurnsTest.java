package dev.weir.internal.wait;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.Latches;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.permit.Permits;
import dev.weir.internal.store.Scheduler;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The next request begins when the one before it is answered, no sooner and no later. */
class TurnsTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofHours(2);
  private static final Subject ALICE = Subject.of("user", "alice");

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Gated store =
      new Gated(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final PermitManager permitManager =
      new PermitManager(store, DEADLINE, LimiterListener.NONE, scheduler, time);
  private final CounterQueues queues = new CounterQueues(scheduler, work::add, work::add);
  private final WaitQueues waitQueues = new WaitQueues(permitManager, queues);
  private final Charge running = charge("running", "1 concurrent", ALICE, 1);
  private final Charge window = charge("window", "1 per hour window", ALICE, 1);

  /** A store that delays its decisions for as long as the gate is shut. */
  private static final class Gated extends DelegatingStore {

    private volatile CountDownLatch decided = new CountDownLatch(1);
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private Gated(LimitStore store) {
      super(store);
    }

    private void shut() {
      decided = new CountDownLatch(1);
      gate = new CountDownLatch(1);
    }

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      Decision decision = store.decide(request);
      if (gate.getCount() > 0) {
        decided.countDown();
        Latches.opens(gate);
      }
      return decision;
    }
  }

  private static CompletableFuture<Permits> wait(WaitQueues waitQueues, Charge... charges) {
    AcquireRequest request = request(charges);
    return waitQueues.decide(
        request, Set.copyOf(request.charges().stream().map(Charge::counter).toList()), LONG);
  }

  @Test
  void what_is_done_with_an_answer_holds_up_nobody_in_a_bucket() {
    assertHoldsUpNobody(charge("bucket", "2 per hour, burst 2", ALICE, 1));
  }

  @Test
  void what_is_done_with_an_answer_holds_up_nobody_in_a_line() {
    assertHoldsUpNobody(charge("many", "2 per hour window", ALICE, 1));
  }

  private void assertHoldsUpNobody(Charge charge) {
    try (Workers threads = new Workers("weir-test")) {
      assertHoldsUpNobody(
          new WaitQueues(permitManager, new CounterQueues(scheduler, threads, threads)), charge);
    }
  }

  private void assertHoldsUpNobody(WaitQueues served, Charge charge) {
    served.decide(request(charge), LONG, Function.identity()).join();
    served.decide(request(charge), LONG, Function.identity()).join();
    CountDownLatch next = new CountDownLatch(1);
    CompletableFuture<Boolean> seen = wait(served, charge).thenApply(hold -> Latches.opens(next));
    CompletableFuture<Permits> second = wait(served, charge);
    CompletableFuture<Void> told = second.thenRun(next::countDown);
    scheduler.advance(Duration.ofHours(1));
    assertThat(seen.join()).as("the second came while the first was busy").isTrue();
    told.join();
    assertThat(second.join().decision().allowed()).isTrue();
  }

  @Test
  void what_is_due_for_one_counter_begins_in_order_and_each_before_the_last_has_an_end() {
    List<String> order = new ArrayList<>();
    List<Charge> charges = List.of(window);
    for (String name : List.of("a", "b", "c")) {
      Scheduler.Pending unused =
          queues.completeInTurn(
              Duration.ZERO, charges, () -> order.add(name + " of " + work.size()));
    }
    scheduler.advance(Duration.ZERO);
    assertThat(work).as("only the first may begin").hasSize(1);
    workAll();
    assertThat(order).containsExactly("a of 1", "b of 1", "c of 0");
    Scheduler.Pending unused = queues.completeInTurn(Duration.ZERO, charges, () -> order.add("d"));
    scheduler.advance(Duration.ZERO);
    workAll();
    assertThat(order).endsWith("d");
  }

  @Test
  void who_has_left_makes_way_though_what_is_done_with_that_takes_long() throws Exception {
    try (Workers threads = new Workers("weir-test")) {
      WaitQueues served =
          new WaitQueues(permitManager, new CounterQueues(scheduler, threads, threads));
      Permits held = served.decide(request(running), LONG, Function.identity()).join();
      CountDownLatch busy = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      CompletableFuture<Permits> first = wait(served, running);
      CompletableFuture<Boolean> slow =
          first.handle(
              (hold, left) -> {
                busy.countDown();
                return Latches.opens(done);
              });
      CompletableFuture<Permits> second = wait(served, running);
      threads.execute(() -> first.cancel(true));
      assertThat(Latches.opens(busy)).isTrue();
      held.close();
      assertThat(second.get(5, TimeUnit.SECONDS).decision().allowed()).isTrue();
      done.countDown();
      assertThat(slow.join()).isTrue();
    }
  }

  @Test
  void who_leaves_while_he_asks_is_answered_at_once_and_the_next_asks_after_his_answer()
      throws Exception {
    assertNextAsksAfterHim(one -> one.cancel(true));
    assertNextAsksAfterHim(
        one -> one.completeExceptionally(new IllegalStateException("too late for me")));
  }

  private void assertNextAsksAfterHim(Function<CompletableFuture<Permits>, Boolean> leaves)
      throws Exception {
    Permits held = wait(waitQueues, running).join();
    CompletableFuture<Permits> first = wait(waitQueues, running);
    CompletableFuture<Permits> next = wait(waitQueues, running);
    held.close();
    Thread asking = asks();
    assertThat(leaves.apply(first)).isTrue();
    assertThat(work).as("nobody asks while what he is granted is on its way").isEmpty();
    store.gate.countDown();
    asking.join();
    workAll();
    assertThat(next).isDone();
    assertThat(next.join().isHeld()).isTrue();
    next.join().close();
    workAll();
    assertThat(waitQueues.waiting()).isZero();
    assertThat(queues.ahead(List.of(running))).as("nobody has kept a place").isEmpty();
  }

  /** Does what is next to be done on a thread of its own, until it waits for the store. */
  private Thread asks() {
    store.shut();
    Thread asking = new Thread(work.remove());
    asking.start();
    assertThat(Latches.opens(store.decided)).isTrue();
    return asking;
  }

  @Test
  void a_call_that_is_under_way_when_the_time_is_over_is_the_answer() throws Exception {
    wait(waitQueues, window).join();
    CompletableFuture<Permits> waiting = wait(waitQueues, window);
    scheduler.advance(Duration.ofHours(1));
    Thread asking = asks();
    scheduler.advance(LONG);
    workAll();
    scheduler.advance(LONG);
    workAll();
    assertThat(waiting).isNotDone();
    store.gate.countDown();
    asking.join();
    assertThat(waiting.join().decision().allowed()).isTrue();
    assertThat(waitQueues.waiting()).isZero();
  }

  @Test
  void who_was_denied_what_is_given_back_at_the_last_moment_is_told_of_it() {
    Charge other = charge("other", "9 per hour window", ALICE, 1);
    wait(waitQueues, window, other).join();
    List<CompletableFuture<Permits>> waiting = new ArrayList<>();
    Function<Permits, Permits> leavesWhenTold =
        hold -> {
          workAll();
          waiting.get(0).cancel(true);
          return hold;
        };
    waiting.add(waitQueues.decide(request(window, other), LONG, leavesWhenTold));
    CompletableFuture<Permits> next = wait(waitQueues, window, other);
    scheduler.advance(Duration.ofHours(1));
    workAll();
    assertThat(waiting.get(0)).isCancelled();
    assertThat(next).isDone();
    assertThat(next.join().decision().allowed()).isTrue();
  }

  private void workAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }
}
