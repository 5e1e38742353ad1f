package dev.weir;

import static dev.weir.Asks.ask;
import static dev.weir.Asks.charge;
import static dev.weir.Asks.decide;
import static dev.weir.Asks.giveBack;
import static dev.weir.Asks.remaining;
import static dev.weir.Asks.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * What every store promises, whatever its time is: the limits here are so slow (10 per 30 days)
 * that a test's own time does not matter, or so fast (10 million per second) that any time is
 * enough.
 *
 * <p>To run it, extend it and {@link #open} a store whose share is the whole limit. Each test has a
 * store and subjects of its own, so one Redis may serve all. A store into which time can be
 * injected extends {@link TimedLimitStoreContract} instead, which has this and more.
 */
public abstract class LimitStoreContract extends StoreUnderTest {

  protected static final String SLOW = "10 per 30 days";
  private static final String SLOW_WINDOW = "10 per 30 days window";
  private static final Duration SLOW_PERMIT = Duration.ofDays(3);
  private static final Duration TEST_TIME = Duration.ofMinutes(5);

  @Test
  void a_bucket_grants_its_burst_and_then_denies() {
    for (int left = 9; left >= 0; left--) {
      Decision.Counted granted = decide(store, one(SLOW));
      assertThat(granted.allowed()).isTrue();
      assertThat(granted.remaining()).isEqualTo(left);
      assertThat(granted.retryAfter()).isEmpty();
    }
    Decision.Counted denied = decide(store, one(SLOW));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.remaining()).isZero();
    assertThat(denied.isNeverSatisfiable()).isFalse();
  }

  @Test
  void a_burst_may_differ_from_the_rate() {
    assertThat(decide(store, many("10 per 30 days, burst 25", 25)).allowed()).isTrue();
    assertThat(decide(store, one("10 per 30 days, burst 25")).allowed()).isFalse();
    assertThat(decide(store, charge("small", "10 per 30 days, burst 3", alice, 3)).remaining())
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
    assertThat(decide(store, many(SLOW, 3)).resetAfter())
        .isBetween(lessTestTime(3), SLOW_PERMIT.multipliedBy(3));
    assertThat(decide(store, many(SLOW, 7)).resetAfter())
        .isBetween(lessTestTime(10), SLOW_PERMIT.multipliedBy(10));
  }

  @Test
  void several_permits_are_taken_together_or_not_at_all() {
    assertThat(decide(store, many(SLOW, 4)).remaining()).isEqualTo(6);
    assertThat(decide(store, many(SLOW, 7)).allowed()).isFalse();
    assertThat(decide(store, many(SLOW, 6)).remaining()).isZero();
  }

  @Test
  void a_denial_changes_nothing() {
    decide(store, many(SLOW, 7));
    for (int i = 0; i < 20; i++) {
      Decision.Counted denied = decide(store, many(SLOW, 4));
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.remaining()).isEqualTo(3);
      assertThat(denied.receipt().grants()).isEmpty();
      assertThat(retryAfter(denied)).isLessThanOrEqualTo(SLOW_PERMIT);
    }
    assertThat(decide(store, many(SLOW, 3)).allowed()).isTrue();
  }

  @Test
  void a_request_above_the_capacity_is_never_satisfiable() {
    for (String limit : List.of(SLOW, SLOW_WINDOW)) {
      for (long permits : new long[] {11, 1L << 31, (1L << 53) + 1, Long.MAX_VALUE}) {
        Decision.Counted denied = decide(store, charge(limit, limit, alice, permits));
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.isNeverSatisfiable()).isTrue();
        assertThat(denied.retryAfter()).isEmpty();
        assertThat(denied.remaining()).isEqualTo(10);
      }
      assertThat(decide(store, charge(limit, limit, alice, 10)).allowed()).isTrue();
      assertThat(decide(store, charge(limit, limit, alice, 11)).isNeverSatisfiable()).isTrue();
    }
  }

  @Test
  void a_window_grants_its_quota_to_the_last_permit() {
    assertThat(decide(store, many(SLOW_WINDOW, 9)).remaining()).isEqualTo(1);
    Decision.Counted last = decide(store, one(SLOW_WINDOW));
    assertThat(Quota.of(last)).isEqualTo(Quota.HIT_QUOTA);
    Decision.Counted over = decide(store, one(SLOW_WINDOW));
    assertThat(Quota.of(over)).isEqualTo(Quota.OVER_QUOTA);
    assertThat(over.remaining()).isZero();
  }

  @Test
  void a_denied_window_says_when_it_ends() {
    decide(store, many(SLOW_WINDOW, 8));
    Decision.Counted denied = decide(store, many(SLOW_WINDOW, 3));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.remaining()).isEqualTo(2);
    assertThat(retryAfter(denied)).isBetween(lessTestTime(10), Duration.ofDays(30));
    assertThat(denied.resetAfter()).isBetween(lessTestTime(10), Duration.ofDays(30));
    assertThat(decide(store, many(SLOW_WINDOW, 2)).remaining()).isZero();
  }

  @Test
  void a_window_of_the_calendar_grants_its_quota() {
    String monthly = "10 per month window Europe/Berlin";
    assertThat(decide(store, many(monthly, 9)).remaining()).isEqualTo(1);
    Decision.Counted denied = decide(store, many(monthly, 2));
    assertThat(denied.allowed()).isFalse();
    assertThat(retryAfter(denied)).isBetween(Duration.ofNanos(1), Duration.ofDays(31).plusHours(1));
    assertThat(denied.resetAfter()).isPositive();
  }

  @Test
  void several_limits_are_charged_all_or_none() {
    Charge tight = charge("tight", "2 per 30 days", alice, 1);
    Charge wide = charge("wide", "10 per 30 days window", bob, 2);

    assertThat(remaining(decide(store, tight, wide))).containsExactly(1L, 8L);
    assertThat(remaining(decide(store, tight, wide))).containsExactly(0L, 6L);
    Decision.Counted denied = decide(store, tight, wide);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limitName()).isEqualTo("tight");
    assertThat(remaining(denied)).containsExactly(0L, 6L);
    assertThat(denied.verdicts()).extracting(Verdict::fits).containsExactly(false, true);
    assertThat(decide(store, wide).remaining()).isEqualTo(4);
  }

  @Test
  void of_several_limits_that_deny_the_longest_wait_binds() {
    Charge sooner = charge("sooner", "10 per 10 days", alice, 10);
    Charge later = charge("later", "10 per 30 days", alice, 10);
    decide(store, sooner, later);

    Decision.Counted denied = decide(store, sooner, later);
    assertThat(denied.limitName()).isEqualTo("later");
    assertThat(retryAfter(denied)).isBetween(lessTestTime(10), Duration.ofDays(30));
  }

  @Test
  void charges_of_one_counter_are_summed() {
    Decision.Counted granted = decide(store, many(SLOW, 4), many(SLOW, 5));
    assertThat(granted.verdicts()).hasSize(1);
    assertThat(granted.remaining()).isEqualTo(1);
    assertThat(decide(store, one(SLOW), one(SLOW)).allowed()).isFalse();
    assertThat(decide(store, many(SLOW, 6), many(SLOW, 6)).isNeverSatisfiable()).isTrue();
  }

  @Test
  void subjects_do_not_affect_each_other() {
    List<Subject> alike =
        List.of(
            alice,
            bob,
            new Subject(List.of(part("a", "b:c"), part("d", alice.toString()))),
            new Subject(List.of(part("a:b", "c"), part("d", alice.toString()))),
            new Subject(List.of(part("d", alice.toString()), part("a", "b:c"))),
            new Subject(List.of(part("x", "y\0\0z\0\0" + alice.toString()), part("z", "z"))),
            new Subject(List.of(part("x", "y"), part("z", alice.toString()), part("z", "z"))),
            Subject.of("k", "\uD800"),
            Subject.of("k", "\uD801"),
            Subject.of("k", "\uFFFD"),
            Subject.of("k", "?"),
            Subject.of("k", "é"),
            Subject.of("k", "e\u0301"),
            Subject.of("k", "\0"),
            Subject.of("k", ""),
            Subject.of("k", "x".repeat(1 << 16)),
            Subject.of("k", "x".repeat(1 << 16) + "y"));
    String name = "isolated-" + UUID.randomUUID();
    for (Subject subject : alike) {
      assertThat(decide(store, charge(name, SLOW, subject, 10)).allowed()).isTrue();
    }
    for (Subject subject : alike) {
      assertThat(decide(store, charge(name, SLOW, subject, 1)).allowed()).isFalse();
    }
  }

  @Test
  void limits_of_different_names_do_not_affect_each_other() {
    decide(store, charge("one", SLOW, alice, 10));
    assertThat(decide(store, charge("two", SLOW, alice, 10)).allowed()).isTrue();
  }

  @Test
  void a_bucket_and_a_window_of_one_name_both_limit() {
    Charge bucket = charge("login", "5 per 30 days", alice, 1);
    Charge window = charge("login", "5 per 30 days window", alice, 1);
    int byBucket = 0;
    int byWindow = 0;
    for (int i = 0; i < 20; i++) {
      byBucket += decide(store, bucket).allowed() ? 1 : 0;
      byWindow += decide(store, window).allowed() ? 1 : 0;
    }
    assertThat(byBucket).isBetween(1, 5);
    assertThat(byWindow).isBetween(1, 5);
  }

  @Test
  void what_was_consumed_carries_over_when_the_numbers_change() {
    decide(store, charge("changed", SLOW, alice, 4));
    assertThat(decide(store, charge("changed", "20 per 30 days", alice, 1)).remaining())
        .isEqualTo(15);
    decide(store, charge("changed-window", SLOW_WINDOW, alice, 4));
    assertThat(
            decide(store, charge("changed-window", "20 per 30 days window", alice, 1)).remaining())
        .isEqualTo(15);
  }

  @Test
  void what_is_given_back_can_be_taken_again() {
    for (String limit : List.of(SLOW, SLOW_WINDOW, "10 per month window UTC")) {
      Charge some = charge(limit, limit, alice, 6);
      Decision.Counted granted = decide(store, some);
      assertThat(decide(store, some).allowed()).isFalse();
      giveBack(store, granted);
      assertThat(decide(store, some).remaining()).isEqualTo(4);
    }
  }

  @Test
  void giving_back_returns_every_counter_of_the_receipt() {
    Charge here = charge("here", SLOW, alice, 6);
    Charge there = charge("there", SLOW_WINDOW, bob, 7);
    giveBack(store, decide(store, here, there));
    assertThat(remaining(decide(store, here, there))).containsExactly(4L, 3L);
  }

  @Test
  void giving_back_a_denial_changes_nothing() {
    decide(store, many(SLOW, 8));
    giveBack(store, decide(store, many(SLOW, 3)));
    assertThat(decide(store, one(SLOW)).remaining()).isEqualTo(1);
  }

  @Test
  void giving_back_never_fills_above_the_burst() {
    Charge fast = charge("fast", "10_000_000 per second, burst 10", alice, 10);
    Decision.Counted granted = decide(store, fast);
    letPass(Duration.ofMillis(5));
    giveBack(store, granted);
    assertThat(
            decide(store, charge("fast", "10_000_000 per second, burst 10", alice, 1)).remaining())
        .isEqualTo(9);
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

  @Test
  void racing_threads_never_get_more_than_the_limit() throws Exception {
    for (String limit : List.of("1000 per 30 days", "1000 per 30 days window")) {
      Ask one = ask(charge("raced " + limit, limit, alice, 1));
      LongAdder admitted = new LongAdder();
      Race.run(
          thread -> {
            for (int i = 0; i < 200; i++) {
              admitted.add(decide(store, one).allowed() ? 1 : 0);
            }
          });
      assertThat(admitted.sum()).isEqualTo(1000);
    }
  }

  @Test
  void threads_that_take_two_limits_in_either_order_get_as_much_as_the_tighter_grants()
      throws Exception {
    Charge tight = charge("tight", "500 per 30 days", alice, 1);
    Charge wide = charge("wide", "2000 per 30 days", bob, 1);
    LongAdder admitted = new LongAdder();
    Race.run(
        thread -> {
          Ask both = thread % 2 == 0 ? ask(tight, wide) : ask(wide, tight);
          for (int i = 0; i < 125; i++) {
            admitted.add(decide(store, both).allowed() ? 1 : 0);
          }
        });
    assertThat(admitted.sum()).isEqualTo(500);
    assertThat(decide(store, wide).remaining()).isEqualTo(1499);
  }

  @Test
  void a_closed_store_says_that_it_is_gone() {
    store.close();
    store.close();
    assertThatThrownBy(() -> store.decide(ask(one(SLOW))))
        .isInstanceOf(StoreUnavailableException.class);
  }

  private static Subject.Part part(String kind, String value) {
    return new Subject.Part(kind, value);
  }

  private static Duration lessTestTime(long permits) {
    return SLOW_PERMIT.multipliedBy(permits).minus(TEST_TIME);
  }
}
