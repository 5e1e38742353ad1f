package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Waiting for permits: in order, no longer than one can, and giving back what is not used. */
class WaitTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  private final ManualTime time = new ManualTime();
  private final ManualScheduler timer = new ManualScheduler(time);
  private final SwitchableStore store =
      new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final WaitQueues waitQueues =
      new WaitQueues(
          new PermitManager(store, Duration.ofMillis(100), LimiterListener.NONE, timer, time),
          new CounterQueues(timer, Runnable::run, Runnable::run));
  private final Subject alice = Subject.of("user", "alice");
  private final TokenLimiter calls = new TokenLimiter(core("1 per second, burst 2"));
  private final LeakyLimiter mails = new LeakyLimiter(core("2 per second leaky, capacity 3"));
  private final PeriodLimiter daily = new PeriodLimiter(core("2 per minute window"));

  private LimiterCore core(String limit) {
    return LimiterCore.of(
        List.of(new LimiterCore.NamedLimit(limit, Limit.parse(limit))), store, waitQueues);
  }

  @Test
  void what_is_there_is_granted_without_a_wait() throws Exception {
    assertThat(calls.tryAcquire(alice, 2, Duration.ZERO).allowed()).isTrue();
    assertThat(mails.tryAcquire(alice, 1, Duration.ZERO).allowed()).isTrue();
    assertThat(daily.tryAcquire(alice, 2, Duration.ZERO).allowed()).isTrue();
    assertThat(daily.tryAcquire(alice, 1, Duration.ZERO).allowed()).isFalse();
  }

  @Test
  void a_bucket_serves_in_the_order_of_asking_and_asks_the_store_once_for_each() {
    List<CompletableFuture<Decision>> waiting = fill(calls, 5);
    assertThat(store.requested()).isEqualTo(5);
    assertThat(done(waiting)).isEqualTo(2);
    for (int served = 3; served <= 5; served++) {
      timer.advance(Duration.ofMillis(999));
      assertThat(done(waiting)).isEqualTo(served - 1);
      timer.advance(Duration.ofMillis(1));
      assertThat(done(waiting)).isEqualTo(served);
    }
    assertThat(store.requested()).isEqualTo(5);
  }

  @Test
  void a_window_serves_in_order_of_arrival_when_the_next_one_begins() {
    List<CompletableFuture<Decision>> waiting = fill(daily, 5);
    assertThat(done(waiting)).isEqualTo(2);
    timer.advance(Duration.ofSeconds(60));
    assertThat(done(waiting)).isEqualTo(4);
    assertThat(waiting.get(4)).isNotDone();
    timer.advance(Duration.ofSeconds(60));
    assertThat(done(waiting)).isEqualTo(5);
    assertThat(waiting).allSatisfy(each -> assertThat(each.join().allowed()).isTrue());
  }

  @Test
  void a_wait_that_would_be_too_long_is_refused_at_once_and_takes_nothing() {
    for (Limiter<?> limiter : List.of(calls, mails, daily)) {
      fill(limiter, 3);
      CompletableFuture<Decision> refused =
          limiter.tryAcquireAsync(alice, 1, Duration.ofMillis(400));
      assertThat(refused).as("%s", limiter).isDone();
      assertThat(refused.join().allowed()).isFalse();
      assertThat(refused.join().retryAfter()).isPresent();
    }
    assertThat(calls.tryAcquireAsync(alice, 3, LONG).join().retryAfter()).isEmpty();
  }

  @Test
  void whose_time_is_over_before_his_turn_leaves_the_line() {
    fill(daily, 5);
    CompletableFuture<Decision> hasty = daily.tryAcquireAsync(alice, 1, Duration.ofSeconds(90));
    timer.advance(Duration.ofSeconds(89));
    assertThat(hasty).isNotDone();
    timer.advance(Duration.ofSeconds(1));
    assertThat(hasty.join().allowed()).isFalse();
    CompletableFuture<Decision> next = daily.tryAcquireAsync(alice, 1, LONG);
    timer.advance(Duration.ofSeconds(30));
    assertThat(next.join().allowed()).isTrue();
  }

  @Test
  void whoever_cancels_gives_back_what_he_has_not_used() {
    fill(calls, 2);
    CompletableFuture<Decision> first = calls.tryAcquireAsync(alice, 1, LONG);
    CompletableFuture<Decision> last = calls.tryAcquireAsync(alice, 1, LONG);
    last.cancel(true);
    assertThat(calls.tryAcquireAsync(alice, 1, LONG)).isNotDone();
    timer.advance(Duration.ofSeconds(2));
    assertThat(first.join().allowed()).isTrue();
    assertThat(calls.peek(alice).retryAfter()).hasValue(Duration.ofSeconds(1));
    first.cancel(true);
    assertThat(calls.peek(alice).retryAfter()).hasValue(Duration.ofSeconds(1));
  }

  @Test
  void whoever_cancels_leaves_the_line_and_the_next_one_asks() {
    List<CompletableFuture<Decision>> waiting = fill(daily, 4);
    waiting.get(2).cancel(true);
    timer.advance(Duration.ofSeconds(60));
    assertThat(waiting.get(3).join().allowed()).isTrue();
    assertThat(daily.peek(alice).allowed()).isTrue();
  }

  @Test
  void subjects_do_not_wait_for_each_other() {
    fill(daily, 3);
    assertThat(daily.tryAcquireAsync(Subject.of("user", "bob"), 1, LONG)).isCompleted();
  }

  @Test
  void without_a_store_nobody_waits() {
    store.switchOff();
    for (Limiter<?> limiter : List.of(calls, mails, daily)) {
      assertThat(limiter.tryAcquireAsync(alice, 1, Duration.ZERO).join().source())
          .isEqualTo(Source.FAIL_CLOSED);
      Limiter<?> open = limiter.withOnOutage(OnOutage.ALLOW);
      assertThat(open.tryAcquireAsync(alice, 1, LONG).join().allowed()).isTrue();
    }
  }

  @Test
  void a_thread_that_is_interrupted_gives_back_what_it_waited_for() throws Exception {
    TokenLimiter real = TokenLimiter.of("real", "1 per hour", store);
    real.tryAcquire(alice);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                real.tryAcquire(alice, 1, Duration.ofHours(2));
              } catch (InterruptedException e) {
                thrown.set(e);
              }
            });
    waiting.start();
    Awaitility.await().until(() -> store.requested() == 2);
    waiting.interrupt();
    waiting.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(real.peek(alice).retryAfter()).hasValue(Duration.ofHours(1));
  }

  @Test
  void a_decision_that_comes_with_an_interrupt_is_returned_and_the_thread_stays_interrupted()
      throws Exception {
    CompletableFuture<Decision> answer =
        new CompletableFuture<>() {
          @Override
          public Decision get() throws InterruptedException, ExecutionException {
            if (complete(Decision.failOpen())) {
              throw new InterruptedException();
            }
            return super.get();
          }
        };
    assertThat(Limiter.await(answer)).isEqualTo(Decision.failOpen());
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void what_is_no_wait_is_told() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls.tryAcquireAsync(alice, 0, LONG))
        .withMessage("permits: 0 (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls.tryAcquire(alice, 1, Duration.ofSeconds(-1)))
        .withMessage("maxWait: PT-1S (expected: >= 0)");
  }

  @Test
  void reserved_permits_are_settled_with_what_was_spent() throws Exception {
    TokenLimiter rows = TokenLimiter.of("rows", "100 per hour", store);
    try (Reservation less = rows.reserve(alice, 50)) {
      less.commit(20);
    }
    assertThat(rows.peek(alice, 80).allowed()).isTrue();
    rows.reserve(alice, 80).close();
    Reservation more = rows.reserve(alice, 10);
    more.commit(180);
    assertThat(rows.tryAcquire(alice).retryAfter())
        .hasValue(Duration.ofMinutes(61).minusSeconds(24));
    assertThatThrownBy(() -> more.commit(1)).isInstanceOf(IllegalStateException.class);
    Reservation denied = rows.reserve(alice, 10);
    assertThat(denied.decision().allowed()).isFalse();
    assertThatThrownBy(() -> denied.commit(1)).isInstanceOf(IllegalStateException.class);
    denied.cancel();
  }

  private List<CompletableFuture<Decision>> fill(Limiter<?> limiter, int requests) {
    List<CompletableFuture<Decision>> waiting = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      waiting.add(limiter.tryAcquireAsync(alice, 1, LONG));
    }
    return waiting;
  }

  private static long done(List<CompletableFuture<Decision>> waiting) {
    return waiting.stream().filter(CompletableFuture::isDone).count();
  }
}
