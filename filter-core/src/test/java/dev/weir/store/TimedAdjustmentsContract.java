package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.orBlock;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store promises of rewarded and blocked counters as time passes. */
public abstract class TimedAdjustmentsContract extends TimedLimitStoreContract {

  private static final Duration TICK = Duration.ofNanos(1_000);
  private static final List<String> LIMITS =
      List.of(
          "5 per minute",
          "5 per minute window",
          "5 per hour window UTC",
          "5 per 10s sliding",
          "5 concurrent, ttl 10s");
  private static final List<String> CONSUMED = LIMITS.subList(0, 4);

  @Test
  void a_block_ends_with_its_time_and_not_a_tick_before() {
    for (String limit : LIMITS) {
      block(limit, Duration.ofMillis(7_777));
      advance(Duration.ofMillis(7_776));
      Duration rest = retryAfter(decide(store, of(limit, 1)));
      assertThat(rest).as(limit).isEqualTo(Duration.ofMillis(1));
      advance(rest.minus(TICK));
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
      advance(TICK);
      assertThat(decide(store, of(limit, 5)).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void a_verdict_counts_a_block_down_to_its_end_whatever_the_limit_waits_for() {
    for (String limit : LIMITS) {
      decide(store, of(limit, 4));
      block(limit, Duration.ofMillis(700));
      for (int i = 0; i < 7; i++) {
        Duration rest = Duration.ofMillis(700 - 100 * i);
        assertThat(decide(store, of(limit, 1)).binding().blockedFor()).as(limit).hasValue(rest);
        assertThat(decide(store, of(limit, 5)).binding().blockedFor()).as(limit).hasValue(rest);
        assertThat(peek(store, of(limit, 0)).binding().blockedFor()).as(limit).hasValue(rest);
        advance(Duration.ofMillis(100));
      }
      assertThat(decide(store, of(limit, 5)).allowed()).as(limit).isFalse();
      assertThat(decide(store, of(limit, 5)).binding().blockedFor()).as(limit).isEmpty();
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void a_block_outlives_the_limits_own_time() {
    for (String limit : LIMITS) {
      decide(store, of(limit, 5));
      block(limit, Duration.ofDays(366));
      advance(Duration.ofDays(366).minus(TICK));
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
      assertThat(decide(store, of(limit, 1)).binding().resetAfter()).as(limit).isEqualTo(TICK);
      advance(TICK);
      assertThat(decide(store, of(limit, 5)).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void what_was_consumed_before_a_block_still_counts_after_it() {
    for (String limit : LIMITS) {
      decide(store, of(limit, 4));
      block(limit, Duration.ofSeconds(1));
      decide(store, of(limit, 1));
      advance(Duration.ofSeconds(1));
      assertThat(decide(store, of(limit, 1)).binding().remaining()).as(limit).isZero();
    }
  }

  @Test
  void what_is_given_back_and_rewarded_during_a_block_is_there_after_it() {
    for (String limit : CONSUMED) {
      decide(store, of(limit, 3));
      Decision.Counted granted = decide(store, of(limit, 2));
      block(limit, Duration.ofSeconds(1));
      refund(store, granted);
      reward(limit, 1);
      advance(Duration.ofSeconds(1));
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isEqualTo(3);
    }
  }

  @Test
  void what_time_has_repaid_is_not_given_back_too() {
    String limit = "10 per 10s";
    Decision.Counted early = decide(store, of(limit, 10));
    advance(Duration.ofSeconds(4));
    Decision.Counted late = decide(store, of(limit, 4));
    refund(store, early);
    assertThat(peek(store, of(limit, 1)).binding().remaining()).isEqualTo(6);
    refund(store, late);
    assertThat(peek(store, of(limit, 1)).binding().remaining()).isEqualTo(10);
  }

  @Test
  void a_grant_that_time_has_repaid_gives_nothing_back() {
    String limit = "10 per 10s";
    Decision.Counted early = decide(store, of(limit, 10));
    advance(Duration.ofSeconds(10));
    decide(store, of(limit, 10));
    refund(store, early);
    assertThat(decide(store, of(limit, 1)).allowed()).isFalse();
  }

  @Test
  void what_is_settled_late_is_charged_from_then_on() {
    String limit = "10 per 10s";
    Decision.Counted reserved = decide(store, of(limit, 10));
    advance(Duration.ofSeconds(3));
    AcquireRequests.adjust(store, new Adjustment.Reconcile(reserved.receipt(), 4));
    assertThat(peek(store, of(limit, 1)).binding().remaining()).isEqualTo(9);
  }

  @Test
  void a_block_by_the_last_permit_ends_in_time_whatever_comes_meanwhile() {
    Duration ban = Duration.ofSeconds(7);
    for (String limit : List.of("5 per 3s sliding", "5 per minute sliding")) {
      assertThat(orBlock(store, ban, of(limit, 5)).allowed()).isFalse();
      advance(Duration.ofSeconds(3));
      Decision.Counted later = orBlock(store, ban, of(limit, 5));
      assertThat(retryAfter(later)).as("not lengthened").isEqualTo(Duration.ofSeconds(4));
      advance(Duration.ofSeconds(4).minus(TICK));
      assertThat(decide(store, of(limit, 0)).allowed()).as(limit).isFalse();
      advance(TICK);
      assertThat(decide(store, of(limit, 0)).allowed()).as(limit).isTrue();
      assertThat(orBlock(store, ban, of(limit, 4)).binding().remaining())
          .as("counts anew, also where the window is longer than the block")
          .isEqualTo(1);
      assertThat(orBlock(store, ban, of(limit, 1)).allowed()).isFalse();
    }
  }

  @Test
  void permits_that_are_too_old_block_nothing() {
    String limit = "5 per minute sliding";
    for (int i = 0; i < 9; i++) {
      assertThat(orBlock(store, Duration.ofHours(1), of(limit, 4)).allowed()).isTrue();
      advance(Duration.ofSeconds(66));
    }
  }

  @Test
  void a_bucket_refills_while_it_is_blocked() {
    decide(store, of("5 per minute", 5));
    block("5 per minute", Duration.ofSeconds(36));
    advance(Duration.ofSeconds(36));
    assertThat(decide(store, of("5 per minute", 1)).binding().remaining()).isEqualTo(2);
  }

  @Test
  void a_sliding_window_is_rewarded_what_would_return_soonest() {
    String limit = "5 per 10s sliding";
    decide(store, of(limit, 2));
    advance(Duration.ofSeconds(5));
    decide(store, of(limit, 3));
    reward(limit, 3);
    Decision.Counted stats = peek(store, of(limit, 5));
    assertThat(stats.binding().remaining()).isEqualTo(3);
    assertThat(retryAfter(stats)).isGreaterThan(Duration.ofSeconds(10));
  }

  @Test
  void a_window_is_rewarded_while_it_lasts_and_the_next_is_none_the_larger() {
    String limit = "5 per minute window";
    decide(store, of(limit, 5));
    reward(limit, 2);
    assertThat(AcquireRequests.admittedOf(10, store, of(limit, 1))).isEqualTo(2);
    advance(Duration.ofMinutes(1));
    reward(limit, 5);
    assertThat(AcquireRequests.admittedOf(10, store, of(limit, 1))).isEqualTo(5);
  }
}
