package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.internal.store.Scheduler;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.Decision;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The public limiter for concurrency permits. */
class ConcurrencyLimiterTest {

  private final ManualTime time = new ManualTime();
  private final SwitchableStore store =
      new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final ConcurrencyLimiter exports =
      ConcurrencyLimiter.of("exports", "2 concurrent, ttl 1h", store);
  private final Subject alice = Subject.of("user", "alice");

  @AfterEach
  void close() {
    exports.close();
  }

  @Test
  void permits_are_held_until_they_are_closed() {
    try (ConcurrencyPermits one = exports.tryAcquire(alice);
        ConcurrencyPermits other = exports.tryAcquire(alice)) {
      assertThat(one.isHeld()).isTrue();
      assertThat(other.isHeld()).isTrue();
      try (ConcurrencyPermits third = exports.tryAcquire(alice)) {
        assertThat(third.isHeld()).isFalse();
        assertThat(third.decision().retryAfter().orElseThrow())
            .isBetween(Duration.ofSeconds(1), Duration.ofMinutes(30));
        assertThat(exports.peek(alice).retryAfter().orElseThrow())
            .isBetween(Duration.ofSeconds(1), Duration.ofMinutes(30));
      }
      assertThat(exports.tryAcquire(Subject.of("user", "bob")).isHeld()).isTrue();
    }
    assertThat(exports.peek(alice).allowed()).isTrue();
    assertThat(exports.withDeadline(Duration.ofSeconds(1)).tryAcquire(alice, 2).isHeld()).isTrue();
    assertThat(exports.peek(alice).allowed()).isFalse();
  }

  @Test
  void more_than_the_limit_is_never_satisfiable() {
    Decision decision = exports.tryAcquire(alice, 3).decision();
    assertThat(((Decision.Counted) decision).isNeverSatisfiable()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> exports.tryAcquire(alice, 0))
        .withMessage("permits: 0 (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> exports.withDeadline(Duration.ZERO).tryAcquire(alice, 1))
        .withMessage("deadline: PT0S (expected: > 0)");
    assertThatIllegalArgumentException().isThrownBy(() -> exports.withDeadline(Duration.ZERO));
  }

  @Test
  void a_subject_is_reset_and_blocked() throws Exception {
    exports.tryAcquire(alice, 2);
    exports.reset(alice);
    assertThat(exports.tryAcquire(alice, 2).isHeld()).isTrue();
    exports.reset(alice);
    exports.block(alice, Duration.ofHours(2));
    assertThat(exports.tryAcquire(alice).decision().retryAfter()).hasValue(Duration.ofHours(2));
    exports.unblock(alice);
    assertThat(exports.peek(alice, 2).allowed()).isTrue();
    store.switchOff();
    assertThatThrownBy(() -> exports.reset(alice)).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void an_outage_is_answered_by_the_policy_and_never_thrown() {
    store.switchOff();
    assertThat(exports.tryAcquire(alice).isHeld()).isFalse();
    assertThat(exports.withOnOutage(OnOutage.ALLOW).tryAcquire(alice).isHeld()).isTrue();
    assertThat(exports.peek(alice).source()).isEqualTo(Source.FAIL_CLOSED);
  }

  @Test
  void a_limit_of_another_kind_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConcurrencyLimiter.of("x", "4 per second", store))
        .withMessage("limit: '4 per second' (expected: a limit such as '4 concurrent')");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenLimiter.of("x", "4 concurrent", store));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PeriodLimiter.of("x", "4 concurrent", store));
    assertThat(exports).hasToString("exports: 2 concurrent, ttl 1 hour");
  }

  @Test
  void the_alarm_rings_on_a_daemon_thread_and_not_once_it_is_closed() throws Exception {
    CompletableFuture<Thread> rang = new CompletableFuture<>();
    AtomicReference<String> wrong = new AtomicReference<>("");
    Scheduler scheduler = new Scheduler.OneThread("weir-test");
    scheduler.in(Duration.ofMillis(100), () -> wrong.set("cancelled")).cancel();
    scheduler.in(Duration.ofHours(1), () -> wrong.set("closed"));
    scheduler.in(Duration.ofMillis(200), () -> rang.complete(Thread.currentThread()));
    Thread thread = rang.get(10, TimeUnit.SECONDS);
    assertThat(thread.getName()).isEqualTo("weir-test");
    assertThat(thread.isDaemon()).isTrue();
    scheduler.close();
    scheduler.close();
    thread.join(TimeUnit.SECONDS.toMillis(10));
    assertThat(thread.isAlive()).isFalse();
    scheduler.in(Duration.ZERO, () -> wrong.set("after closing")).cancel();
    assertThat(wrong.get()).isEmpty();
  }
}
