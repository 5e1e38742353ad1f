package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.orBlock;
import static dev.weir.fixture.AcquireRequests.peek;
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

/** What every store promises of what its verdicts say about a block. */
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
