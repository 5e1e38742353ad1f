package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.orBlock;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.remaining;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static dev.weir.fixture.AcquireRequests.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.AcquireRequests;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Receipt;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store promises of counters that are reset, rewarded and blocked. */
abstract class AdjustmentsContract extends ModesContract {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void a_reset_counter_is_as_good_as_new() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 10));
      decide(store, charge(limit, limit, bob, 10));
      adjust(new Adjustment.Reset(of(limit, 1).counter()));
      assertThat(peek(store, of(limit, 1)).binding().resetAfter()).as(limit).isZero();
      assertThat(decide(store, of(limit, 10)).allowed()).as(limit).isTrue();
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
      assertThat(decide(store, charge(limit, limit, bob, 1)).allowed()).as(limit).isFalse();
    }
  }

  @Test
  void a_reset_ends_a_block() {
    for (String limit : SLOW_LIMITS) {
      block(limit, HOUR);
      adjust(new Adjustment.Reset(of(limit, 1).counter()));
      assertThat(decide(store, of(limit, 10)).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void a_reward_gives_permits_back_and_no_more_than_were_consumed() {
    for (String limit : List.of(SLOW, SLOW_WINDOW, "10 per month window UTC", SLOW_SLIDING)) {
      reward(limit, 3);
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isEqualTo(10);
      decide(store, of(limit, 8));
      reward(limit, 5);
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isEqualTo(7);
      for (long permits : new long[] {4, 1L << 53, Long.MAX_VALUE}) {
        reward(limit, permits);
        assertThat(decide(store, of(limit, 4)).binding().remaining()).as(limit).isEqualTo(6);
      }
    }
  }

  @Test
  void a_blocked_counter_denies_everything_for_the_rest_of_the_time() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 4));
      block(limit, HOUR);
      for (Decision.Counted denied :
          new Decision.Counted[] {
            decide(store, of(limit, 1)),
            decide(store, of(limit, 6)),
            peek(store, of(limit, 1)),
            upTo(store, of(limit, 6))
          }) {
        assertThat(denied.allowed()).as(limit).isFalse();
        assertThat(denied.binding().remaining()).as(limit).isZero();
        assertThat(denied.granted()).as(limit).hasValue(0);
        assertThat(denied.receipt().grants()).as(limit).isEmpty();
        assertThat(retryAfter(denied)).as(limit).isBetween(HOUR.minusMinutes(5), HOUR);
        assertThat(denied.binding().resetAfter()).as(limit).isGreaterThan(HOUR);
      }
      assertThat(decide(store, of(limit, 11)).isNeverSatisfiable()).as(limit).isTrue();
    }
  }

  @Test
  void one_that_nobody_has_used_can_be_blocked() {
    for (String limit : SLOW_LIMITS) {
      block(limit, HOUR);
      Decision.Counted denied = decide(store, of(limit, 1));
      assertThat(denied.allowed()).as(limit).isFalse();
      assertThat(retryAfter(denied)).as(limit).isEqualTo(denied.binding().resetAfter());
    }
  }

  @Test
  void where_the_limits_own_wait_is_longer_than_the_block_it_is_told() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 10));
      Duration wait = retryAfter(peek(store, of(limit, 10)));
      block(limit, Duration.ofMillis(1));
      assertThat(retryAfter(decide(store, of(limit, 10))))
          .as(limit)
          .isBetween(wait.minusMinutes(5), wait);
    }
  }

  @Test
  void a_block_never_shortens_another() {
    for (String limit : SLOW_LIMITS) {
      block(limit, HOUR);
      block(limit, Duration.ofMinutes(1));
      assertThat(retryAfter(decide(store, of(limit, 1)))).isGreaterThan(HOUR.minusMinutes(5));
      block(limit, HOUR.multipliedBy(2));
      assertThat(retryAfter(decide(store, of(limit, 1)))).isGreaterThan(HOUR);
    }
  }

  @Test
  void a_block_holds_for_one_subject_and_one_limit() {
    block(SLOW, HOUR);
    assertThat(decide(store, charge(SLOW, SLOW, bob, 1)).allowed()).isTrue();
    assertThat(decide(store, charge("other", SLOW, alice, 1)).allowed()).isTrue();
    assertThat(decide(store, of(SLOW, 1)).allowed()).isFalse();
  }

  @Test
  void where_one_of_several_is_blocked_none_is_charged() {
    block(SLOW, HOUR);
    Charge wide = charge("wide", SLOW_WINDOW, bob, 2);
    Decision.Counted denied = decide(store, wide, of(SLOW, 1));
    assertThat(denied.limitName()).hasValue(SLOW);
    assertThat(AcquireRequests.remaining(denied)).containsExactly(10L, 0L);
    assertThat(decide(store, wide).binding().remaining()).isEqualTo(8);
  }

  @Test
  void what_is_given_back_or_rewarded_leaves_a_block_alone() {
    for (String limit : SLOW_LIMITS) {
      Decision.Counted granted = decide(store, of(limit, 4));
      block(limit, HOUR);
      refund(store, granted);
      reward(limit, 1);
      assertThat(retryAfter(decide(store, of(limit, 1)))).isGreaterThan(HOUR.minusMinutes(5));
    }
  }

  @Test
  void a_counter_to_which_all_was_given_back_is_full() {
    for (String limit : consumed()) {
      refund(store, decide(store, of(limit, 8)));
      assertThat(peek(store, of(limit, 1)).binding().resetAfter()).as(limit).isZero();
      assertThat(decide(store, of(limit, 10)).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void what_was_not_spent_of_a_grant_is_given_back() {
    for (String limit : consumed()) {
      Decision.Counted granted = decide(store, of(limit, 8));
      AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.receipt(), 3));
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isEqualTo(7);
      granted = decide(store, of(limit, 7));
      AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.receipt(), 7));
      assertThat(peek(store, of(limit, 1)).allowed()).as(limit).isFalse();
    }
  }

  @Test
  void what_was_spent_beyond_a_grant_is_owed() {
    for (String limit : consumed()) {
      Decision.Counted granted = decide(store, of(limit, 2));
      AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.receipt(), 5));
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isEqualTo(5);
      AcquireRequests.adjust(
          store, new Adjustment.Reconcile(decide(store, of(limit, 1)).receipt(), 15));
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isZero();
      reward(limit, 5);
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
      reward(limit, 15);
      assertThat(decide(store, of(limit, 10)).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void more_than_can_be_counted_is_owed_as_the_most_that_can() {
    for (String limit : consumed()) {
      for (long spent : new long[] {1L << 53, Long.MAX_VALUE, Long.MAX_VALUE}) {
        Decision.Counted granted = decide(store, of(limit, 1));
        Receipt receipt =
            new Receipt(granted.source(), List.of(new Receipt.Grant(of(limit, 1), 0)));
        AcquireRequests.adjust(store, new Adjustment.Reconcile(receipt, spent));
        assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
      }
      Charge other = charge(limit, limit, bob, 10);
      assertThat(decide(store, other).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void a_charge_of_nothing_fits_unless_the_counter_is_blocked() {
    for (String limit : SLOW_LIMITS) {
      Charge none = charge(limit, limit, alice, 0);
      assertThat(decide(store, none).allowed()).isTrue();
      decide(store, charge(limit, limit, alice, 10));
      assertThat(decide(store, none).allowed()).as("exhausted").isTrue();
      Charge other = charge("other " + limit, SLOW_WINDOW, alice, 4);
      Decision.Counted granted = decide(store, other, none);
      refund(store, granted);
      assertThat(remaining(decide(store, other, none)).get(0)).isEqualTo(6);

      adjust(new Adjustment.Block(none.counter(), Duration.ofMinutes(9)));
      Decision.Counted denied = decide(store, other, none);
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.limitName()).hasValue(limit);
      assertThat(retryAfter(denied)).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(9));
      assertThat(decide(store, charge(limit, limit, bob, 0)).allowed()).isTrue();

      adjust(new Adjustment.Reset(none.counter()));
      assertThat(remaining(decide(store, other, none)).get(0)).as("not charged").isEqualTo(2);
    }
  }

  @Test
  void what_would_take_the_last_permit_blocks_instead() {
    Duration ban = Duration.ofMinutes(9);
    Charge four = charge("ban", SLOW_SLIDING, alice, 4);
    assertThat(granted(orBlock(store, ban, four))).containsExactly(4L, 6L);
    assertThat(granted(orBlock(store, ban, four))).containsExactly(4L, 2L);
    Decision.Counted blocked = orBlock(store, ban, four);
    assertThat(blocked.allowed()).isFalse();
    assertThat(retryAfter(blocked)).isBetween(Duration.ofMinutes(8), ban);
    assertThat(decide(store, charge("ban", SLOW_SLIDING, alice, 0)).allowed()).isFalse();
    assertThat(decide(store, charge("ban", SLOW_SLIDING, bob, 0)).allowed()).isTrue();

    adjust(new Adjustment.Reset(four.counter()));
    assertThat(granted(orBlock(store, ban, four))).as("counts anew").containsExactly(4L, 6L);
    assertThat(orBlock(store, ban, charge("ban", SLOW_SLIDING, alice, 6)).allowed()).isFalse();
    assertThat(orBlock(store, ban, charge("ban", SLOW_SLIDING, bob, 10)).allowed()).isFalse();
  }

  @Test
  void only_a_sliding_window_may_be_blocked_by_what_takes_its_last_permit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> orBlock(store, Duration.ofSeconds(1), one(SLOW)))
        .withMessageContaining("(expected: a sliding window, in the mode OrBlock");
  }

  @Test
  void what_is_held_is_not_settled() {
    Charge held = charge("held", "10 concurrent, ttl 1h", alice, 4);
    Decision.Counted granted = decide(store, held);
    AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.receipt(), 9));
    assertThat(peek(store, held).binding().remaining()).isEqualTo(6);
    AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.receipt(), 0));
    assertThat(peek(store, held).binding().remaining()).isEqualTo(6);
  }

  private static List<String> consumed() {
    return SLOW_LIMITS.stream()
        .filter(limit -> !(Limit.parse(limit) instanceof Concurrency))
        .toList();
  }

  /** Makes a change as a store that is there does. */
  protected void adjust(Adjustment adjustment) {
    AcquireRequests.adjust(store, adjustment);
  }

  final Charge of(String limit, long permits) {
    return charge(limit, limit, alice, permits);
  }

  final void block(String limit, Duration duration) {
    adjust(new Adjustment.Block(of(limit, 1).counter(), duration));
  }

  final void reward(String limit, long permits) {
    adjust(new Adjustment.Reward(of(limit, 1).counter(), permits));
  }
}
