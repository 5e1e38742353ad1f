package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.ConcurrencyLimiter;
import dev.weir.ConcurrencyPermits;
import dev.weir.LeakyLimiter;
import dev.weir.Limiter;
import dev.weir.MultiLimiter;
import dev.weir.PeriodLimiter;
import dev.weir.TaskShaper;
import dev.weir.TokenLimiter;
import dev.weir.fixture.Race;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever waits for a test store waits in the time of its clock, and takes no real time. */
@Timeout(30)
class WaitsTest {

  private static final Subject ANN = Subject.of("ann");
  private static final Duration DAY = Duration.ofDays(1);

  private static final TestStore STORE = TestStore.create();

  private final TestStore store = TestStore.create();
  private final ManualClock clock = store.clock();

  /** Each grants one permit now, and the next one in an hour. */
  static Stream<Limiter<?>> hourly() {
    return Stream.of(
        TokenLimiter.of("token", "1 per hour", STORE),
        LeakyLimiter.of("leaky", "1 per hour leaky, capacity 10", STORE),
        PeriodLimiter.of("window", "1 per hour window", STORE),
        PeriodLimiter.of("sliding", "1 per hour sliding, sub-windows 60", STORE));
  }

  @ParameterizedTest
  @MethodSource("hourly")
  void a_thread_that_waits_advances_the_clock_itself(Limiter<?> limiter) throws Exception {
    Duration before = STORE.clock().elapsed();
    assertThat(limiter.tryAcquire(ANN, 1, Duration.ZERO).allowed()).isTrue();
    assertThat(STORE.clock().elapsed()).isEqualTo(before);

    assertThat(limiter.tryAcquire(ANN, 1, Duration.ofMinutes(59)).allowed()).isFalse();
    assertThat(STORE.clock().elapsed()).as("denied at once").isEqualTo(before);

    assertThat(limiter.tryAcquire(ANN, 1, DAY).allowed()).isTrue();
    assertThat(STORE.clock().elapsed().minus(before))
        .isBetween(Duration.ofHours(1), Duration.ofMinutes(62)); // a sub-window later, if sliding
  }

  @ParameterizedTest
  @MethodSource("hourly")
  void a_request_that_waits_without_a_thread_completes_when_it_is_due(Limiter<?> limiter) {
    Subject bob = Subject.of("bob");
    assertThat(limiter.tryAcquireAsync(bob, 1, DAY)).isCompleted();
    CompletableFuture<Decision> second = limiter.tryAcquireAsync(bob, 1, DAY);
    CompletableFuture<Decision> third = limiter.tryAcquireAsync(bob, 1, DAY);

    STORE.advance(Duration.ofMinutes(59));
    assertThat(second).isNotDone();
    STORE.advance(Duration.ofMinutes(3));
    assertThat(second).isCompletedWithValueMatching(Decision::allowed);
    assertThat(third).isNotDone();
    STORE.advance(Duration.ofMinutes(62));
    assertThat(third).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void whoever_leaves_gives_his_place_to_the_next_at_once() {
    PeriodLimiter hourly = PeriodLimiter.of("window", "2 per hour window", store);
    hourly.tryAcquireAsync(ANN, 1, DAY).join();
    CompletableFuture<Decision> large = hourly.tryAcquireAsync(ANN, 2, DAY);
    CompletableFuture<Decision> small = hourly.tryAcquireAsync(ANN, 1, DAY);
    assertThat(small).isNotDone();
    large.cancel(true);
    assertThat(small).isCompletedWithValueMatching(Decision::allowed);
    assertThat(clock.elapsed()).isZero();
  }

  @Test
  void a_wait_whose_time_is_over_is_denied() {
    PeriodLimiter hourly = PeriodLimiter.of("window", "1 per hour window", store);
    hourly.tryAcquireAsync(ANN, 1, DAY).join();
    List<CompletableFuture<Decision>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(hourly.tryAcquireAsync(ANN, 1, Duration.ofMinutes(150)));
    }
    assertThat(waiting.get(2)).as("hopeless").isNotDone();
    store.advance(Duration.ofMinutes(151));
    assertThat(waiting.get(1)).isCompletedWithValueMatching(Decision::allowed);
    assertThat(waiting.get(2)).isCompletedWithValueMatching(denial -> !denial.allowed());
  }

  @Test
  void thousands_that_wait_for_one_window_are_served_together() {
    PeriodLimiter crowded = PeriodLimiter.of("window", "20_000 per hour window", store);
    crowded.tryAcquire(ANN, 20_000);
    List<CompletableFuture<Decision>> waiting = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      waiting.add(crowded.tryAcquireAsync(ANN, 1, DAY));
    }
    store.advance(Duration.ofHours(1));
    assertThat(waiting).allMatch(CompletableFuture::isDone);
  }

  @Test
  void in_an_outage_a_bucket_lets_nobody_wait() throws Exception {
    TokenLimiter hourly = TokenLimiter.of("token", "1 per hour", store);
    store.fail();
    assertThat(hourly.tryAcquire(ANN, 1, DAY).source()).isEqualTo(Source.LOCAL);
    assertThat(hourly.tryAcquire(ANN, 1, DAY).allowed()).isFalse();
    assertThat(clock.elapsed()).isZero();
  }

  @Test
  void acquire_waits_for_as_long_as_it_takes() throws Exception {
    TokenLimiter hourly = TokenLimiter.of("token", "1 per hour", store);
    for (int i = 0; i < 10; i++) {
      hourly.acquire(ANN);
    }
    assertThat(clock.elapsed()).isEqualTo(Duration.ofHours(9));
  }

  @Test
  void acquire_asks_again_on_the_clock_where_the_store_lets_no_request_wait() throws Exception {
    TokenLimiter hourly = TokenLimiter.of("token", "1 per hour", store);
    hourly.block(ANN, Duration.ofMinutes(30));
    hourly.acquire(ANN);
    assertThat(clock.elapsed()).isEqualTo(Duration.ofMinutes(30));
    store.fail();
    hourly.acquire(ANN);
    hourly.acquire(ANN);
    assertThat(clock.elapsed()).as("by the share").isEqualTo(Duration.ofMinutes(90));
  }

  @Test
  void several_limits_are_waited_for_together() throws Exception {
    MultiLimiter several = MultiLimiter.of(store, "2 per minute", "3 per hour window");
    for (int i = 0; i < 4; i++) {
      several.acquire(ANN);
    }
    assertThat(clock.elapsed()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void a_limiter_derived_from_another_waits_in_the_same_time() throws Exception {
    TokenLimiter hourly =
        TokenLimiter.of("token", "1 per hour", store).withDeadline(Duration.ofSeconds(1));
    hourly.tryAcquire(ANN, 1, DAY);
    hourly.tryAcquire(ANN, 1, DAY);
    assertThat(clock.elapsed()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void threads_that_wait_together_are_each_served_once() throws Exception {
    PeriodLimiter window = PeriodLimiter.of("window", "10 per hour window", store);
    AtomicInteger served = new AtomicInteger();
    Race.run(
        thread -> {
          for (int i = 0; i < 50; i++) {
            if (window.tryAcquire(ANN, 1, Duration.ofDays(300)).allowed()) {
              served.incrementAndGet();
            }
          }
        });
    assertThat(served).hasValue(400);
    assertThat(clock.elapsed()).as("40 windows").isEqualTo(Duration.ofHours(39));
  }

  @Test
  void a_shaper_runs_its_tasks_as_the_clock_is_advanced() {
    TaskShaper shaper =
        TaskShaper.of(LeakyLimiter.of("leaky", "1 per hour leaky, capacity 10", store), 10);
    AtomicInteger ran = new AtomicInteger();
    shaper.start();
    for (int i = 0; i < 3; i++) {
      shaper.offer(ran::incrementAndGet);
    }
    for (int i = 1; i <= 3; i++) {
      int expected = i;
      Awaitility.await().until(() -> ran.get() == expected);
      store.advance(Duration.ofHours(1));
    }
    assertThat(shaper.stop()).isEmpty();
  }

  @Test
  void held_permits_are_renewed_while_the_clock_is_advanced() {
    try (ConcurrencyLimiter exports =
        ConcurrencyLimiter.of("exports", "1 concurrent, ttl 30s", store)) {
      ConcurrencyPermits permits = exports.tryAcquire(ANN);
      store.advance(Duration.ofHours(1));
      assertThat(permits.isHeld()).isTrue();
      assertThat(exports.tryAcquire(ANN).isHeld()).isFalse();
      permits.close();
      assertThat(exports.tryAcquire(ANN).isHeld()).isTrue();
    }
  }

  @Test
  void a_request_waits_for_permits_that_are_held() throws Exception {
    try (ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "1 concurrent", store)) {
      ConcurrencyPermits held = exports.tryAcquire(ANN);
      assertThat(exports.tryAcquire(ANN, Duration.ofSeconds(5)).isHeld()).isFalse();
      assertThat(clock.elapsed()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5_010));

      CompletableFuture<ConcurrencyPermits> next = exports.tryAcquireAsync(ANN, DAY);
      store.advance(Duration.ofHours(1));
      assertThat(next).isNotDone();
      held.close();
      store.advance(Duration.ofMillis(100)); // it asks for held permits so often
      assertThat(next).isCompletedWithValueMatching(ConcurrencyPermits::isHeld);
    }
  }

  @Test
  void a_wait_for_a_permit_that_nothing_releases_is_refused() throws Exception {
    try (ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "1 concurrent", store)) {
      ConcurrencyPermits held = exports.tryAcquire(ANN);
      assertThatIllegalStateException()
          .isThrownBy(() -> exports.acquire(ANN))
          .withMessageStartingWith("wait: not over at 2026-01-01T")
          .withMessageEndingWith(
              "(expected: to end; held permits return only when they are closed)");
      held.close();
      Duration refused = clock.elapsed();
      assertThat(exports.acquire(ANN).isHeld()).isTrue();
      assertThat(clock.elapsed()).as("nothing is left in front").isEqualTo(refused);
    }
  }

  @Test
  void permits_of_a_process_that_has_died_return_after_their_time_to_live() {
    ConcurrencyLimiter died = ConcurrencyLimiter.of("exports", "1 concurrent, ttl 30s", store);
    ConcurrencyPermits lost = died.tryAcquire(ANN);
    died.close();
    try (ConcurrencyLimiter other =
        ConcurrencyLimiter.of("exports", "1 concurrent, ttl 30s", store)) {
      store.advance(Duration.ofSeconds(30).minusNanos(1_000));
      assertThat(other.tryAcquire(ANN).isHeld()).isFalse();
      store.advance(Duration.ofNanos(1_000));
      assertThat(lost.isHeld()).isFalse();
      assertThat(other.tryAcquire(ANN).isHeld()).isTrue();
    }
  }

  @Test
  void to_close_one_limiter_ends_the_renewals_of_no_other() {
    ConcurrencyLimiter closed = ConcurrencyLimiter.of("other", "1 concurrent", store);
    try (ConcurrencyLimiter exports =
            ConcurrencyLimiter.of("exports", "1 concurrent, ttl 30s", store);
        ConcurrencyPermits permits = exports.tryAcquire(ANN)) {
      closed.close();
      store.advance(Duration.ofMinutes(1));
      assertThat(permits.isHeld()).isTrue();
    }
  }

  @Test
  void an_outage_longer_than_the_time_to_live_loses_permits() {
    List<Receipt> lost = new ArrayList<>();
    LimiterListener listener =
        new LimiterListener() {
          @Override
          public void onPermitsLost(Receipt held) {
            lost.add(held);
          }
        };
    try (ConcurrencyLimiter exports =
            ConcurrencyLimiter.of("exports", "1 concurrent, ttl 30s", store)
                .withListener(listener);
        ConcurrencyPermits permits = exports.tryAcquire(ANN)) {
      store.fail();
      store.advance(Duration.ofSeconds(29));
      assertThat(permits.isHeld()).isTrue();
      store.advance(Duration.ofSeconds(4));
      assertThat(permits.isHeld()).isFalse();
      assertThat(lost).hasSize(1);
    }
  }
}
