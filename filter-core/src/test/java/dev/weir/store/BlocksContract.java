package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.orBlock;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.renew;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static dev.weir.fixture.AcquireRequests.upTo;
import static dev.weir.fixture.AcquireRequests.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every store promises of what its verdicts say about a block, and of one that is lifted. */
abstract class BlocksContract extends AdjustmentsContract {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void a_counter_that_is_used_up_is_not_blocked() {
    for (String limit : SLOW_LIMITS) {
      for (Decision.Counted decision :
          List.of(
              peek(store, of(limit, 1)),
              decide(store, of(limit, 10)),
              decide(store, of(limit, 1)),
              decide(store, of(limit, 0)),
              decide(store, of(limit, 11)),
              peek(store, of(limit, 1)),
              upTo(store, of(limit, 3)))) {
        assertThat(decision.binding().blockedFor()).as("%s: %s", limit, decision).isEmpty();
      }
    }
  }

  @Test
  void a_blocked_counter_is_so_for_the_rest_of_the_block_whatever_is_requested() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 4));
      block(limit, HOUR);
      for (Decision.Counted denied :
          List.of(
              decide(store, of(limit, 1)),
              decide(store, of(limit, 1)),
              decide(store, of(limit, 0)),
              decide(store, of(limit, 6)),
              decide(store, of(limit, 11)),
              peek(store, of(limit, 1)),
              upTo(store, of(limit, 6)),
              within(store, Duration.ofMinutes(1), of(limit, 1)))) {
        assertBlocked(denied.binding(), HOUR);
      }
      adjust(new Adjustment.Reset(of(limit, 1).counter()));
      assertThat(peek(store, of(limit, 1)).binding().blockedFor()).as(limit).isEmpty();
    }
  }

  @Test
  void where_the_limit_has_no_room_for_longer_the_wait_is_longer_than_the_block() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 10));
      block(limit, Duration.ofMinutes(10));
      Decision.Counted denied = decide(store, of(limit, 10));
      assertBlocked(denied.binding(), Duration.ofMinutes(10));
      assertThat(retryAfter(denied)).as(limit).isGreaterThan(Duration.ofDays(1));
    }
  }

  @Test
  void of_several_counters_only_that_which_is_blocked_is_so() {
    for (String limit : SLOW_LIMITS) {
      Charge other = charge("other " + limit, SLOW_WINDOW, bob, 1);
      block(limit, HOUR);
      for (Decision.Counted denied :
          List.of(
              decide(store, other, of(limit, 1)),
              decide(store, other, of(limit, 1)),
              peek(store, other, of(limit, 1)))) {
        assertThat(denied.verdicts().get(0).blockedFor()).as(limit).isEmpty();
        assertBlocked(denied.verdicts().get(1), HOUR);
      }
    }
  }

  @Test
  void a_ban_blocks_as_any_other_block_does() {
    Charge six = charge("ban", SLOW_SLIDING, alice, 6);
    assertThat(orBlock(store, HOUR, six).binding().blockedFor()).isEmpty();
    assertBlocked(orBlock(store, HOUR, six).binding(), HOUR);
    assertBlocked(orBlock(store, HOUR.multipliedBy(2), six).binding(), HOUR);
    assertBlocked(decide(store, charge("ban", SLOW_SLIDING, alice, 0)).binding(), HOUR);
    assertBlocked(peek(store, six).binding(), HOUR);
  }

  @Test
  void an_unblocked_counter_has_left_what_it_had() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 4));
      block(limit, HOUR);
      block(limit, HOUR.multipliedBy(2));
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
      unblock(limit);
      Decision.Counted peeked = peek(store, of(limit, 6));
      assertThat(peeked.allowed()).as(limit).isTrue();
      assertThat(peeked.binding().remaining()).as(limit).isEqualTo(6);
      assertThat(peeked.binding().blockedFor()).as(limit).isEmpty();
      assertThat(decide(store, of(limit, 0)).allowed()).as(limit).isTrue();
      assertThat(decide(store, of(limit, 6)).allowed()).as(limit).isTrue();
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isFalse();
    }
  }

  @Test
  void a_used_up_counter_stays_so_when_it_is_unblocked() {
    for (String limit : SLOW_LIMITS) {
      decide(store, of(limit, 10));
      Duration wait = retryAfter(decide(store, of(limit, 1)));
      block(limit, HOUR);
      unblock(limit);
      Decision.Counted denied = decide(store, of(limit, 1));
      assertThat(denied.binding().blockedFor()).as(limit).isEmpty();
      assertThat(retryAfter(denied)).as(limit).isBetween(wait.minusMinutes(5), wait);
    }
  }

  @Test
  void what_is_not_blocked_does_not_change() {
    for (String limit : SLOW_LIMITS) {
      unblock(limit);
      assertThat(peek(store, of(limit, 1)).binding().resetAfter()).as(limit).isZero();
      decide(store, of(limit, 4));
      unblock(limit);
      assertThat(peek(store, of(limit, 1)).binding().remaining()).as(limit).isEqualTo(6);
    }
  }

  @Test
  void what_is_refunded_and_rewarded_during_a_block_is_there_when_it_is_lifted() {
    for (String limit : SLOW_LIMITS) {
      Decision.Counted granted = decide(store, of(limit, 4));
      decide(store, of(limit, 4));
      block(limit, HOUR);
      refund(store, granted);
      reward(limit, 1);
      unblock(limit);
      boolean isHeld = of(limit, 1).counter().limit().algorithm().isHeld();
      assertThat(peek(store, of(limit, 1)).binding().remaining())
          .as(limit)
          .isEqualTo(isHeld ? 6 : 7);
    }
  }

  @Test
  void a_lifted_block_is_that_of_one_subject_and_one_limit() {
    for (String limit : SLOW_LIMITS) {
      Charge ofBob = charge(limit, limit, bob, 1);
      Charge other = charge("other " + limit, limit, alice, 1);
      adjust(new Adjustment.Block(ofBob.counter(), HOUR));
      adjust(new Adjustment.Block(other.counter(), HOUR));
      block(limit, HOUR);
      unblock(limit);
      assertThat(decide(store, of(limit, 1)).allowed()).as(limit).isTrue();
      assertBlocked(decide(store, ofBob).binding(), HOUR);
      assertBlocked(decide(store, other).binding(), HOUR);
      assertThat(decide(store, of(limit, 1), other).allowed()).as(limit).isFalse();
      adjust(new Adjustment.Unblock(other.counter()));
      assertThat(decide(store, of(limit, 1), other).allowed()).as(limit).isTrue();
    }
  }

  @Test
  void a_counter_whose_block_was_lifted_can_be_blocked_again() {
    for (String limit : SLOW_LIMITS) {
      block(limit, HOUR.multipliedBy(2));
      unblock(limit);
      block(limit, HOUR);
      assertBlocked(decide(store, of(limit, 1)).binding(), HOUR);
    }
  }

  @Test
  void a_lifted_ban_leaves_no_denial_counted() {
    Charge six = charge("ban", SLOW_SLIDING, alice, 6);
    orBlock(store, HOUR, six);
    assertBlocked(orBlock(store, HOUR, six).binding(), HOUR);
    adjust(new Adjustment.Unblock(six.counter()));
    assertThat(decide(store, charge("ban", SLOW_SLIDING, alice, 0)).allowed()).isTrue();
    assertThat(granted(orBlock(store, HOUR, six))).containsExactly(6L, 4L);
    assertBlocked(orBlock(store, HOUR, six).binding(), HOUR);
  }

  @Test
  void holders_keep_their_permits_through_a_block_that_is_lifted() {
    String limit = "10 concurrent, ttl 30 days";
    Decision.Counted first = decide(store, of(limit, 4));
    Decision.Counted second = decide(store, of(limit, 5));
    block(limit, HOUR);
    assertThat(renew(store, first)).isTrue();
    refund(store, second);
    unblock(limit);
    assertThat(renew(store, first)).isTrue();
    assertThat(renew(store, second)).isFalse();
    assertThat(decide(store, of(limit, 6)).allowed()).isTrue();
    assertThat(decide(store, of(limit, 1)).allowed()).isFalse();
  }

  final void unblock(String limit) {
    adjust(new Adjustment.Unblock(of(limit, 1).counter()));
  }

  /** Checks that it is blocked for about so long, and denies for at least as long. */
  static void assertBlocked(Verdict verdict, Duration time) {
    Optional<Duration> blocked = verdict.blockedFor();
    assertThat(verdict.fits()).as("%s", verdict).isFalse();
    assertThat(verdict.remaining()).as("%s", verdict).isZero();
    assertThat(blocked).as("%s", verdict).isPresent();
    assertThat(blocked.orElseThrow()).as("%s", verdict).isBetween(time.minusMinutes(5), time);
    if (verdict.retry() instanceof Retry.After after) {
      assertThat(after.time()).as("%s", verdict).isGreaterThanOrEqualTo(blocked.orElseThrow());
    }
  }
}
