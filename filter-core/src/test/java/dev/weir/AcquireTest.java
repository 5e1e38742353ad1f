package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.fixture.SwitchableStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** To wait for as long as it takes, to throw, and to be notified. */
@Timeout(30)
class AcquireTest {

  private static final Duration DAY = Duration.ofDays(1);

  private final SwitchableStore store = new SwitchableStore(LocalLimitStore.of());
  private final TokenLimiter hourly = TokenLimiter.of("hourly", "3 per hour", store);
  private final Recorder recorder = new Recorder();

  /** Records what it is notified of. */
  private static final class Recorder implements LimiterListener {

    private final List<Source> decisions = new ArrayList<>();
    private final List<Adjustment> lost = new ArrayList<>();

    @Override
    public void onDecision(AcquireRequest request, Decision decision, Duration took) {
      decisions.add(decision.source());
    }

    @Override
    public void onAdjustmentLost(Adjustment.OfReceipt adjustment, StoreUnavailableException why) {
      lost.add(adjustment);
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void a_wait_for_permits_survives_a_block_and_ends_with_a_reset() throws Exception {
    hourly.block("u", Duration.ofDays(300));
    CompletableFuture<Boolean> acquired = new CompletableFuture<>();
    try (var threads = new Threads()) {
      threads.run(() -> acquired.complete(hourly.acquire("u", 2).allowed()));
      while (store.requested() == 0) {
        Thread.onSpinWait();
      }
      assertThat(acquired).isNotDone();
      hourly.reset("u");
      assertThat(acquired.join()).isTrue();
    }
    assertThat(hourly.peek("u").remaining()).hasValue(1);
  }

  @Test
  void a_full_leaky_bucket_is_waited_for_too() throws Exception {
    LeakyLimiter mails = LeakyLimiter.of("mails", "20 per second leaky, capacity 1", store);
    for (int i = 0; i < 3; i++) {
      assertThat(mails.acquire("u").allowed()).isTrue();
    }
  }

  @Test
  void a_held_permit_is_waited_for() throws Exception {
    try (ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "1 concurrent", store);
        var threads = new Threads()) {
      ConcurrencyPermits first = exports.acquire("u");
      CompletableFuture<ConcurrencyPermits> second = new CompletableFuture<>();
      threads.run(() -> second.complete(exports.acquire("u")));
      assertThat(exports.tryAcquire("u", Duration.ofMillis(150)).isHeld()).isFalse();
      assertThat(second).isNotDone();
      first.close();
      try (ConcurrencyPermits held = second.join()) {
        assertThat(held.isHeld()).isTrue();
      }
    }
  }

  @Test
  void no_wait_begins_that_cannot_end() {
    assertThatExceptionOfType(LimitExceededException.class)
        .isThrownBy(() -> hourly.acquire("u", 4))
        .withMessage(
            "denied by limit hourly (3 per hour) of subject, source REDIS, never satisfiable,"
                + " however long it waits");
    store.switchOff();
    assertThatExceptionOfType(LimitExceededException.class)
        .isThrownBy(() -> hourly.acquire("u"))
        .withMessage(
            "denied by the outage policy of limit hourly of subject, source FAIL_CLOSED, retry after"
                + " PT0.321S")
        .satisfies(e -> assertThat(e.decision().source()).isEqualTo(Source.FAIL_CLOSED));
  }

  @Test
  void a_wait_that_may_throw_waits_for_held_permits_and_no_longer_than_it_may() throws Exception {
    try (ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "1 concurrent", store);
        var threads = new Threads()) {
      ConcurrencyPermits first = exports.acquireOrThrow("u", Duration.ZERO);
      assertThatExceptionOfType(LimitExceededException.class)
          .isThrownBy(() -> exports.acquireOrThrow("u", Duration.ofMillis(50)))
          .withMessageStartingWith("denied by limit exports (1 concurrent) of subject");
      CompletableFuture<Boolean> second = new CompletableFuture<>();
      threads.run(() -> second.complete(exports.acquireOrThrow("u", DAY).isHeld()));
      assertThat(second).isNotDone();
      first.close();
      assertThat(second.join()).isTrue();
    }
  }

  @Test
  void a_wait_that_is_too_long_throws_at_once_and_takes_nothing() throws Exception {
    assertThat(hourly.acquireOrThrow("u", 2, DAY).remaining()).hasValue(1);
    assertThatExceptionOfType(LimitExceededException.class)
        .isThrownBy(() -> hourly.acquireOrThrow("u", 2, Duration.ofMinutes(19)))
        .satisfies(
            e ->
                assertThat(e.retryAfter().orElseThrow())
                    .as("after which a wait of 19 minutes is long enough")
                    .isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1)));
    assertThat(hourly.peek("u").remaining()).hasValue(1);
    store.switchOff();
    assertThatExceptionOfType(LimitExceededException.class)
        .isThrownBy(() -> hourly.acquireOrThrow("u", DAY))
        .satisfies(e -> assertThat(e.decision().source()).isEqualTo(Source.FAIL_CLOSED));
  }

  @Test
  void a_serialized_denial_keeps_its_message_alone() throws Exception {
    hourly.tryAcquire("u", 3);
    LimitExceededException denied =
        catchThrowableOfType(LimitExceededException.class, () -> hourly.acquireOrThrow("u"));
    assertThat(denied.retryAfter()).isPresent();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(denied);
    }
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    LimitExceededException copy = (LimitExceededException) in.readObject();
    assertThat(copy).hasMessage(denied.getMessage());
    assertThat(copy.retryAfter()).isEmpty();
  }

  @Test
  void a_policy_that_allows_lets_all_pass_in_an_outage() throws Exception {
    store.switchOff();
    TokenLimiter open = hourly.withOnOutage(OnOutage.ALLOW);
    assertThat(open.acquire("u", 100).source()).isEqualTo(Source.FAIL_OPEN);
    assertThat(open.acquireOrThrow("u", 100).source()).isEqualTo(Source.FAIL_OPEN);
  }

  @Test
  void a_listener_is_notified_of_what_the_limiter_returns_and_of_nothing_else() throws Exception {
    TokenLimiter observed = hourly.withListener(recorder);
    observed.tryAcquire("u");
    observed.peek("u");
    observed.tryAcquire("u", Duration.ZERO);
    hourly.tryAcquire("u");
    store.switchOff();
    observed.tryAcquire("u");
    observed.withOnOutage(OnOutage.ALLOW).tryAcquire("u");
    observed.withListener(LimiterListener.NONE).tryAcquire("u");
    assertThat(recorder.decisions)
        .containsExactly(
            Source.REDIS, Source.REDIS, Source.REDIS, Source.FAIL_CLOSED, Source.FAIL_OPEN);
  }

  @Test
  void what_is_held_is_reported_as_any_decision() {
    try (ConcurrencyLimiter exports =
        ConcurrencyLimiter.of("exports", "1 concurrent", store).withListener(recorder)) {
      exports.tryAcquire("u").close();
      assertThat(recorder.decisions).containsExactly(Source.REDIS);
    }
  }

  @Test
  void a_lost_commit_and_a_lost_cancellation_are_reported_and_not_thrown() {
    TokenLimiter observed = hourly.withListener(recorder);
    Reservation committed = observed.reserve("u", 2);
    Reservation cancelled = observed.reserve("v", 2);
    store.switchOff();
    committed.commit(1);
    cancelled.cancel();
    assertThat(recorder.lost)
        .hasSize(2)
        .hasExactlyElementsOfTypes(Adjustment.Reconcile.class, Adjustment.Refund.class);
    store.switchOn();
    committed.close();
    assertThat(hourly.peek("u").remaining()).hasValue(1);
  }

  @Test
  void concurrency_and_rates_are_one_decision() {
    try (ConcurrencyLimiter exports =
        ConcurrencyLimiter.of("held", "1 concurrent", store).withLimit("rate", "2 per hour")) {
      try (ConcurrencyPermits first = exports.tryAcquire("u")) {
        assertThat(first.isHeld()).isTrue();
        assertThat(exports.tryAcquire("u").decision().limitName()).hasValue("held");
      }
      exports.tryAcquire("u").close();
      Decision spent = exports.tryAcquire("u").decision();
      assertThat(spent.limitName()).hasValue("rate");
      assertThat(exports).hasToString("held: 1 concurrent, rate: 2 per hour");
    }
  }

  /** Threads that end with the test. */
  private static final class Threads implements AutoCloseable {

    private final ExecutorService executor = Executors.newCachedThreadPool();

    private interface Step {
      void run() throws InterruptedException;
    }

    void run(Step step) {
      executor.execute(
          () -> {
            try {
              step.run();
            } catch (InterruptedException ended) {
              Thread.currentThread().interrupt();
            }
          });
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }
}
