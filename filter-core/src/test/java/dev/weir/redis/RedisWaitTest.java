package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.permit.Permits;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues before windows and concurrency permits that Redis counts. */
class RedisWaitTest extends StoreOnEveryRedis {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration WINDOW = Duration.ofMillis(200);
  private static final int MANY = 60;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private PermitManager permitManager;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private WaitQueues waitQueues;

  @BeforeEach
  void open() {
    permitManager = PermitManager.of(store, Duration.ofSeconds(5), LimiterListener.NONE);
    waitQueues = WaitQueues.of(permitManager);
  }

  @AfterEach
  void end() {
    waitQueues.close();
    permitManager.close();
  }

  private CompletableFuture<Permits> wait(Charge charge) {
    return wait(waitQueues, charge);
  }

  private static CompletableFuture<Permits> wait(WaitQueues node, Charge charge) {
    return node.decide(request(charge), Set.of(charge.counter()), LONG);
  }

  @Test
  void a_window_lets_one_in_after_the_other_and_none_before_his_window() {
    Charge charge = charge("paced", "1 per 200ms window", alice, 1);
    long startNanos = System.nanoTime();
    assertThat(wait(charge).join().decision().allowed()).isTrue();
    List<Integer> order = new ArrayList<>();
    List<CompletableFuture<Long>> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      waiting.add(wait(charge).thenApply(hold -> note(order, number)));
    }
    List<CompletableFuture<Permits>> leavers = List.of(wait(charge), wait(charge));
    waiting.add(wait(charge).thenApply(hold -> note(order, 6)));
    leavers.forEach(each -> each.cancel(true));
    for (int i = 0; i < waiting.size(); i++) {
      long waitedNanos = waiting.get(i).join() - startNanos;
      assertThat(Duration.ofNanos(waitedNanos)).isGreaterThanOrEqualTo(WINDOW.multipliedBy(i + 1));
    }
    assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6);
  }

  private static long note(List<Integer> order, int number) {
    synchronized (order) {
      order.add(number);
    }
    return System.nanoTime();
  }

  @Test
  void what_is_released_goes_to_the_first_who_still_waits() {
    Charge charge = charge("held", "2 concurrent, ttl 1h", alice, 1);
    Permits one = wait(charge).join();
    Permits two = wait(charge).join();
    List<CompletableFuture<Permits>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(wait(charge));
    }
    waiting.get(1).cancel(true);
    one.close();
    Permits first = waiting.get(0).join();
    assertThat(waiting.get(2)).isNotDone();
    two.close();
    Permits next = waiting.get(2).join();
    assertThat(waiting.get(3)).isNotDone();
    next.close();
    waiting.get(3).join().close();
    first.close();
    assertThat(peek(store, charge).binding().remaining()).isEqualTo(2);
  }

  @Test
  void what_another_node_releases_is_found_soon() {
    Charge charge = charge("shared", "1 concurrent, ttl 1h", alice, 1);
    try (WaitQueues other = WaitQueues.of(permitManager)) {
      Permits held = wait(other, charge).join();
      CompletableFuture<Permits> waiting = wait(charge);
      assertThat(waiting).isNotDone();
      held.close();
      assertThat(waiting.join().isHeld()).isTrue();
      waiting.join().close();
    }
  }

  @Test
  void no_more_than_the_limit_run_and_nothing_is_lost_while_some_leave() {
    Charge charge = charge("busy", "2 concurrent, ttl 1h", alice, 1);
    Semaphore free = new Semaphore(2);
    List<Permits> held = List.of(wait(charge).join(), wait(charge).join());
    List<CompletableFuture<Permits>> leavers = new ArrayList<>();
    List<CompletableFuture<Void>> stayers = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      CompletableFuture<Permits> waiting = wait(charge);
      CompletableFuture<Void> done = waiting.thenAccept(hold -> run(hold, charge, free));
      if (i % 3 == 0) {
        leavers.add(waiting);
      } else {
        stayers.add(done);
      }
    }
    held.forEach(Permits::close);
    leavers.forEach(each -> each.cancel(true));
    stayers.forEach(CompletableFuture::join);
    await().untilAsserted(() -> assertThat(peek(store, charge).binding().remaining()).isEqualTo(2));
    assertThat(waitQueues.waiting()).isZero();
  }

  /** Takes a while, as much as a round trip does. */
  private void run(Permits hold, Charge charge, Semaphore free) {
    assertThat(free.tryAcquire()).as("no more run than may").isTrue();
    assertThat(peek(store, charge).binding().remaining()).isLessThan(2);
    free.release();
    hold.close();
  }
}
