package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.PeriodLimiter.QuotaStatus;
import dev.weir.fixture.StoreUnderTest;
import dev.weir.store.AcquireRequest.Charge;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What every store promises of one counter, whatever its time is: the limits here are so slow (10
 * per 30 days) that a test's own time does not matter, or so fast (10 million per second) that any
 * time is enough.
 */
abstract class OneCounterContract extends StoreUnderTest {

  static final String SLOW = "10 per 30 days";
  static final String SLOW_WINDOW = "10 per 30 days window";
  static final String SLOW_SLIDING = "10 per 30 days sliding";
  private static final Duration SLOW_PERMIT = Duration.ofDays(3);
  private static final Duration TEST_TIME = Duration.ofMinutes(5);

  @Test
  void a_bucket_grants_its_burst_and_then_denies() {
    for (int left = 9; left >= 0; left--) {
      Decision.Counted granted = decide(store, one(SLOW));
      assertThat(granted.allowed()).isTrue();
      assertThat(granted.binding().remaining()).isEqualTo(left);
      assertThat(granted.retryAfter()).isEmpty();
    }
    Decision.Counted denied = decide(store, one(SLOW));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.binding().remaining()).isZero();
    assertThat(denied.isNeverSatisfiable()).isFalse();
  }

  @Test
  void a_burst_may_differ_from_the_rate() {
    assertThat(decide(store, many("10 per 30 days, burst 25", 25)).allowed()).isTrue();
    assertThat(decide(store, one("10 per 30 days, burst 25")).allowed()).isFalse();
    assertThat(
            decide(store, charge("small", "10 per 30 days, burst 3", alice, 3))
                .binding()
                .remaining())
        .isZero();
  }

  @Test
  void a_denied_bucket_says_when_the_permits_are_back() {
    decide(store, many(SLOW, 10));

    assertThat(retryAfter(decide(store, one(SLOW)))).isBetween(lessTestTime(1), SLOW_PERMIT);
    assertThat(retryAfter(decide(store, many(SLOW, 4))))
        .isBetween(lessTestTime(4), SLOW_PERMIT.multipliedBy(4));
    assertThat(retryAfter(decide(store, many(SLOW, 10))))
        .isBetween(lessTestTime(10), SLOW_PERMIT.multipliedBy(10));
  }

  @Test
  void reset_after_is_the_time_until_the_bucket_is_full() {
    assertThat(decide(store, many(SLOW, 3)).binding().resetAfter())
        .isBetween(lessTestTime(3), SLOW_PERMIT.multipliedBy(3));
    assertThat(decide(store, many(SLOW, 7)).binding().resetAfter())
        .isBetween(lessTestTime(10), SLOW_PERMIT.multipliedBy(10));
  }

  @Test
  void several_permits_are_taken_together_or_not_at_all() {
    assertThat(decide(store, many(SLOW, 4)).binding().remaining()).isEqualTo(6);
    assertThat(decide(store, many(SLOW, 7)).allowed()).isFalse();
    assertThat(decide(store, many(SLOW, 6)).binding().remaining()).isZero();
  }

  @Test
  void a_denial_changes_nothing() {
    decide(store, many(SLOW, 7));
    for (int i = 0; i < 20; i++) {
      Decision.Counted denied = decide(store, many(SLOW, 4));
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.binding().remaining()).isEqualTo(3);
      assertThat(denied.receipt().grants()).isEmpty();
      assertThat(retryAfter(denied)).isLessThanOrEqualTo(SLOW_PERMIT);
    }
    assertThat(decide(store, many(SLOW, 3)).allowed()).isTrue();
  }

  @Test
  void a_request_above_the_capacity_is_never_satisfiable() {
    for (String limit : List.of(SLOW, SLOW_WINDOW, SLOW_SLIDING)) {
      for (long permits : new long[] {11, 1L << 31, (1L << 53) + 1, Long.MAX_VALUE}) {
        Decision.Counted denied = decide(store, charge(limit, limit, alice, permits));
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.isNeverSatisfiable()).isTrue();
        assertThat(denied.retryAfter()).isEmpty();
        assertThat(denied.binding().remaining()).isEqualTo(10);
      }
      assertThat(decide(store, charge(limit, limit, alice, 10)).allowed()).isTrue();
      assertThat(decide(store, charge(limit, limit, alice, 11)).isNeverSatisfiable()).isTrue();
    }
  }

  @Test
  void a_window_grants_its_quota_to_the_last_permit() {
    assertThat(decide(store, many(SLOW_WINDOW, 9)).binding().remaining()).isEqualTo(1);
    Decision.Counted last = decide(store, one(SLOW_WINDOW));
    assertThat(QuotaStatus.of(last)).isEqualTo(QuotaStatus.HIT_QUOTA);
    Decision.Counted over = decide(store, one(SLOW_WINDOW));
    assertThat(QuotaStatus.of(over)).isEqualTo(QuotaStatus.OVER_QUOTA);
    assertThat(over.binding().remaining()).isZero();
  }

  @Test
  void a_denied_window_says_when_it_ends() {
    decide(store, many(SLOW_WINDOW, 8));
    Decision.Counted denied = decide(store, many(SLOW_WINDOW, 3));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.binding().remaining()).isEqualTo(2);
    assertThat(retryAfter(denied)).isBetween(lessTestTime(10), Duration.ofDays(30));
    assertThat(denied.binding().resetAfter()).isBetween(lessTestTime(10), Duration.ofDays(30));
    assertThat(decide(store, many(SLOW_WINDOW, 2)).binding().remaining()).isZero();
  }

  @Test
  void a_sliding_window_grants_its_quota_and_says_when_the_first_of_it_returns() {
    assertThat(decide(store, many(SLOW_SLIDING, 8)).binding().remaining()).isEqualTo(2);
    Decision.Counted denied = decide(store, many(SLOW_SLIDING, 3));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.binding().remaining()).isEqualTo(2);
    assertThat(retryAfter(denied)).isBetween(lessTestTime(10), Duration.ofDays(33));
    assertThat(QuotaStatus.of(decide(store, many(SLOW_SLIDING, 2))))
        .isEqualTo(QuotaStatus.HIT_QUOTA);
    assertThat(QuotaStatus.of(decide(store, one(SLOW_SLIDING)))).isEqualTo(QuotaStatus.OVER_QUOTA);
  }

  @Test
  void a_window_of_the_calendar_grants_its_quota() {
    String monthly = "10 per month window Europe/Berlin";
    assertThat(decide(store, many(monthly, 9)).binding().remaining()).isEqualTo(1);
    Decision.Counted denied = decide(store, many(monthly, 2));
    assertThat(denied.allowed()).isFalse();
    assertThat(retryAfter(denied)).isBetween(Duration.ofNanos(1), Duration.ofDays(31).plusHours(1));
    assertThat(denied.binding().resetAfter()).isPositive();
  }

  @Test
  void what_was_consumed_carries_over_when_the_numbers_change() {
    decide(store, charge("changed", SLOW, alice, 4));
    assertThat(decide(store, charge("changed", "20 per 30 days", alice, 1)).binding().remaining())
        .isEqualTo(15);
    decide(store, charge("changed-window", SLOW_WINDOW, alice, 4));
    assertThat(
            decide(store, charge("changed-window", "20 per 30 days window", alice, 1))
                .binding()
                .remaining())
        .isEqualTo(15);
    decide(store, charge("changed-sliding", SLOW_SLIDING, alice, 4));
    assertThat(
            decide(store, charge("changed-sliding", "20 per 60 days sliding", alice, 1))
                .binding()
                .remaining())
        .isEqualTo(15);
  }

  @Test
  void the_fastest_rate_refills_at_once_and_the_slowest_does_not() {
    Charge fast = charge("fast", "10_000_000 per second, burst 100", alice, 100);
    assertThat(decide(store, fast).allowed()).isTrue();
    letPass(Duration.ofMillis(5));
    assertThat(decide(store, fast).allowed()).isTrue();

    Charge slow = charge("slow", "1 per 30 days", alice, 1);
    assertThat(decide(store, slow).allowed()).isTrue();
    letPass(Duration.ofMillis(5));
    assertThat(retryAfter(decide(store, slow))).isBetween(lessTestTime(10), Duration.ofDays(30));
  }

  static Duration lessTestTime(long permits) {
    return SLOW_PERMIT.multipliedBy(permits).minus(TEST_TIME);
  }
}
