package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.ConcurrencyLimiter;
import dev.weir.ConcurrencyPermits;
import dev.weir.FailoverLimitStore;
import dev.weir.LeakyLimiter;
import dev.weir.LimitExceededException;
import dev.weir.MultiLimiter;
import dev.weir.PeriodLimiter;
import dev.weir.PeriodLimiter.QuotaStatus;
import dev.weir.Reservation;
import dev.weir.Stores;
import dev.weir.TokenLimiter;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import dev.weir.near.DenyCache;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The first lines that users of Guava, Bucket4j and Resilience4j type, and what these do. */
class GuessedLinesTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void a_limiter_in_process() {
    TokenLimiter limiter = TokenLimiter.of("api", "100 per hour, burst 2");
    assertThat(limiter.tryAcquire("user-42").allowed()).isTrue();
    assertThat(limiter.tryAcquire(Subject.of("user-42")).allowed()).isTrue();
    assertThat(limiter.tryAcquire("user-42").allowed()).isFalse();
    assertThat(limiter.tryAcquire("user-43").allowed()).isTrue();
  }

  @Test
  void a_limiter_without_a_name() {
    assertThat(TokenLimiter.of("5 per hour")).hasToString("5 per hour: 5 per hour");
    assertThat(TokenLimiter.of(TokenBucket.perHour(5)).tryAcquire("u", 5).allowed()).isTrue();
    assertThat(PeriodLimiter.of("1 per hour window").tryAcquire("u").allowed()).isTrue();
    assertThat(PeriodLimiter.of(SlidingWindow.perHour(1)).tryAcquire("u").allowed()).isTrue();
    assertThat(LeakyLimiter.of("1 per hour leaky").tryAcquire("u").allowed()).isTrue();
    try (ConcurrencyLimiter one = ConcurrencyLimiter.of("1 concurrent")) {
      assertThat(one.tryAcquire("u").isHeld()).isTrue();
    }
  }

  @Test
  void several_permits() {
    TokenLimiter limiter = TokenLimiter.of("api", "10 per hour");
    assertThat(limiter.tryAcquire("u", 8).remaining()).hasValue(2);
    assertThat(limiter.tryAcquire("u", 3).allowed()).isFalse();
    assertThat(limiter.tryAcquireUpTo("u", 100).granted()).hasValue(2);
  }

  @Test
  void limits_of_numbers() {
    assertThat(TokenBucket.of(100, Duration.ofSeconds(1))).isEqualTo(Limit.parse("100 per second"));
    assertThat(TokenBucket.perSecond(10).withBurst(20))
        .isEqualTo(Limit.parse("10 per second, burst 20"));
    assertThat(TokenLimiter.of("a", TokenBucket.of(1, HOUR).withBurst(5)).tryAcquire("u", 5))
        .matches(Decision::allowed);
    assertThat(TokenLimiter.of("b", Limit.parse("1 per hour")).tryAcquire("u").allowed()).isTrue();
    assertThat(PeriodLimiter.of("c", FixedWindow.of(1, HOUR)).tryAcquire("u").allowed()).isTrue();
    assertThat(PeriodLimiter.of("d", SlidingWindow.of(1, HOUR)).tryAcquire("u").allowed()).isTrue();
    assertThat(LeakyLimiter.of("e", LeakyBucket.of(1, HOUR)).tryAcquire("u").allowed()).isTrue();
    try (ConcurrencyLimiter one = ConcurrencyLimiter.of("f", Concurrency.of(1))) {
      assertThat(one.tryAcquire("u").isHeld()).isTrue();
    }
  }

  @Test
  void what_a_decision_says() {
    TokenLimiter limiter = TokenLimiter.of("api", "1 per hour");
    Decision first = limiter.tryAcquire("u");
    assertThat(first.retryAfter().orElse(Duration.ZERO)).isZero();
    assertThat(first.resetAfter().orElseThrow()).isBetween(HOUR.minusMinutes(1), HOUR);
    Decision denied = limiter.tryAcquire("u");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limitName()).hasValue("api");
    assertThat(denied.limit()).hasValue(TokenBucket.perHour(1));
    assertThat(denied.remaining()).hasValue(0);
    assertThat(denied.retryAfter().orElseThrow()).isBetween(HOUR.minusMinutes(1), HOUR);
    assertThat(denied.source()).isEqualTo(Source.LOCAL);
  }

  @Test
  void waiting_for_some_time() throws InterruptedException {
    TokenLimiter limiter = TokenLimiter.of("api", "20 per second, burst 1");
    assertThat(limiter.tryAcquire("u", Duration.ofSeconds(5)).allowed()).isTrue();
    assertThat(limiter.tryAcquire("u", Duration.ofSeconds(5)).allowed()).isTrue();
    assertThat(limiter.tryAcquire("u", 1, Duration.ZERO).allowed()).isFalse();
  }

  @Test
  void waiting_for_as_long_as_it_takes() throws InterruptedException {
    TokenLimiter limiter = TokenLimiter.of("api", "20 per second, burst 1");
    long startNanos = System.nanoTime();
    limiter.acquire("u");
    limiter.acquire("u", 1);
    limiter.acquire(Subject.of("u"));
    assertThat(System.nanoTime() - startNanos)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(99));
  }

  @Test
  void waiting_without_a_thread() {
    TokenLimiter limiter = TokenLimiter.of("api", "20 per second, burst 1");
    limiter.tryAcquire("u");
    assertThat(
            limiter.tryAcquireAsync("u", Duration.ofSeconds(5)).thenApply(Decision::allowed).join())
        .isTrue();
  }

  @Test
  void an_exception_for_a_denial() {
    TokenLimiter limiter = TokenLimiter.of("api", "1 per hour");
    limiter.acquireOrThrow("user-42");
    assertThatExceptionOfType(LimitExceededException.class)
        .isThrownBy(() -> limiter.acquireOrThrow("user-42"))
        .withMessageMatching(
            "denied by limit api \\(1 per hour\\) of subject, source LOCAL, retry after"
                + " PT[0-9.HMS]+")
        .satisfies(
            e -> assertThat(e.retryAfter()).isEqualTo(e.decision().retryAfter()).isPresent());
  }

  @Test
  void an_exception_for_a_denial_after_a_wait() throws InterruptedException {
    TokenLimiter limiter = TokenLimiter.of("20 per second, burst 1");
    limiter.acquireOrThrow("u", Duration.ZERO);
    limiter.acquireOrThrow("u", 1, Duration.ofSeconds(5));
    assertThatExceptionOfType(LimitExceededException.class)
        .isThrownBy(() -> limiter.acquireOrThrow("u", Duration.ofMillis(1)));
  }

  @Test
  void looking_and_changing() throws Exception {
    TokenLimiter limiter = TokenLimiter.of("api", "10 per hour");
    limiter.tryAcquire("u", 10);
    assertThat(limiter.peek("u").remaining()).hasValue(0);
    limiter.reward("u", 3);
    assertThat(limiter.peek("u").remaining()).hasValue(3);
    limiter.reset("u");
    assertThat(limiter.peek("u").remaining()).hasValue(10);
    limiter.block("u", Duration.ofMinutes(5));
    assertThat(limiter.tryAcquire("u").retryAfter().orElseThrow())
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    limiter.unblock("u");
    assertThat(limiter.peek("u").remaining()).hasValue(10);
  }

  @Test
  void a_quota_in_a_period() {
    PeriodLimiter day = PeriodLimiter.of("day", "1 per day window UTC");
    assertThat(QuotaStatus.of(day.tryAcquire("u"))).isEqualTo(QuotaStatus.HIT_QUOTA);
    assertThat(QuotaStatus.of(day.tryAcquire("u"))).isEqualTo(QuotaStatus.OVER_QUOTA);
    assertThat(day).hasToString("day: 1 per day window " + ZoneId.of("UTC"));
  }

  @Test
  void permits_that_are_held() {
    try (ConcurrencyLimiter limiter = ConcurrencyLimiter.of("exports", "1 concurrent")) {
      try (ConcurrencyPermits permits = limiter.tryAcquire("u")) {
        assertThat(permits.isHeld()).isTrue();
        assertThat(limiter.tryAcquire("u").isHeld()).isFalse();
      }
      try (ConcurrencyPermits again = limiter.acquireOrThrow("u")) {
        assertThat(again.decision().allowed()).isTrue();
      }
    }
  }

  @Test
  void a_reservation_in_a_method_without_a_throws_clause() {
    TokenLimiter limiter = TokenLimiter.of("tokens", "100 per hour");
    try (Reservation reservation = limiter.reserve("u", 100)) {
      reservation.commit(12);
    }
    limiter.reserve("u", 20).cancel();
    assertThat(limiter.peek("u", 88).allowed()).isTrue();
    assertThat(limiter.peek("u", 90).allowed()).isFalse();
  }

  @Test
  void several_limits() {
    MultiLimiter limiter = MultiLimiter.of("2 per hour", "1000 per day window UTC");
    assertThat(limiter.tryAcquire("u", 2).allowed()).isTrue();
    assertThat(limiter.tryAcquire("u").limitName()).hasValue("2 per hour");
    MultiLimiter named =
        MultiLimiter.builder()
            .limit("user", "2 per hour", subject -> subject.only("user"))
            .limit("tenant", Limit.parse("3 per hour"), subject -> subject.only("tenant"))
            .limit("all", "5000 per hour", subject -> Subject.global())
            .build();
    Subject alice = Subject.of("user", "alice").and("tenant", "acme");
    Subject bob = Subject.of("user", "bob").and("tenant", "acme");
    assertThat(named.tryAcquire(alice, 2).limitName()).hasValue("user");
    assertThat(named.tryAcquire(bob, 2).limitName()).hasValue("tenant");
    assertThat(named.tryAcquire(bob).allowed()).isTrue();
  }

  @Test
  void stores_of_one_s_own() {
    try (LimitStore shared = DenyCache.of(Stores.local(), Duration.ofSeconds(1));
        LimitStore store = FailoverLimitStore.of(shared, Stores.local())) {
      TokenLimiter one = TokenLimiter.of("api", "1 per hour", store);
      TokenLimiter same = TokenLimiter.of("api", "1 per hour", store).withOnOutage(OnOutage.DENY);
      MultiLimiter several = MultiLimiter.of(store, "2 per hour", "3 per day");
      assertThat(one.tryAcquire("u").allowed()).isTrue();
      assertThat(same.tryAcquire("u").allowed()).isFalse();
      assertThat(several.tryAcquire("u", 3).allowed()).isFalse();
    }
  }

  @Test
  void a_listener() {
    List<Boolean> received = new ArrayList<>();
    LimiterListener listener =
        new LimiterListener() {
          @Override
          public void onDecision(AcquireRequest request, Decision decision, Duration took) {
            received.add(decision.allowed());
          }
        };
    TokenLimiter limiter = TokenLimiter.of("api", "1 per hour").withListener(listener);
    limiter.tryAcquire("u");
    limiter.tryAcquire("u");
    assertThat(received).containsExactly(true, false);
  }
}
