package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.remaining;
import static dev.weir.fixture.AcquireRequests.renew;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static dev.weir.fixture.AcquireRequests.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Race;
import dev.weir.store.AcquireRequest.Charge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store promises of permits that are held. */
abstract class PermitsContract extends BlocksContract {

  private static final String HELD = "4 concurrent, ttl 30 days";
  private static final Duration LEASE = Duration.ofDays(30);

  @Test
  void no_more_are_held_than_the_limit_says_and_what_is_released_can_be_had_again() {
    Decision.Counted one = decide(store, of(HELD, 1));
    Decision.Counted three = decide(store, of(HELD, 3));
    assertThat(one.binding().remaining()).isEqualTo(3);
    assertThat(three.binding().remaining()).isZero();
    Decision.Counted denied = decide(store, of(HELD, 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(retryAfter(denied)).isBetween(LEASE.minusMinutes(5), LEASE);
    assertThat(denied.binding().resetAfter()).isBetween(LEASE.minusMinutes(5), LEASE);

    refund(store, one);
    assertThat(decide(store, of(HELD, 2)).allowed()).isFalse();
    assertThat(decide(store, of(HELD, 1)).binding().remaining()).isZero();
    refund(store, three);
    assertThat(peek(store, of(HELD, 4)).binding().remaining()).isEqualTo(3);
  }

  @Test
  void a_hold_is_released_once_whoever_holds_permits_since() {
    Decision.Counted first = decide(store, of(HELD, 2));
    refund(store, first);
    decide(store, of(HELD, 4));
    for (int i = 0; i < 3; i++) {
      refund(store, first);
    }
    assertThat(decide(store, of(HELD, 1)).allowed()).isFalse();
  }

  @Test
  void what_a_reset_has_forgotten_is_neither_renewed_nor_released() {
    Decision.Counted before = decide(store, of(HELD, 3));
    adjust(new Adjustment.Reset(of(HELD, 1).counter()));
    assertThat(renew(store, before)).isFalse();
    decide(store, of(HELD, 4));
    refund(store, before);
    assertThat(decide(store, of(HELD, 1)).allowed()).isFalse();
  }

  @Test
  void what_is_held_is_renewed_and_what_is_released_is_not() {
    Decision.Counted granted = decide(store, of(HELD, 3));
    assertThat(renew(store, granted)).isTrue();
    assertThat(peek(store, of(HELD, 1)).binding().remaining()).isEqualTo(1);
    refund(store, granted);
    assertThat(renew(store, granted)).isFalse();
    assertThat(peek(store, of(HELD, 1)).binding().remaining()).isEqualTo(4);
  }

  @Test
  void a_release_leaves_spent_what_was_consumed_and_a_give_back_returns_all() {
    Charge consumed = charge("calls", SLOW, alice, 3);
    Decision.Counted first = decide(store, of(HELD, 2), consumed);
    AcquireRequests.adjust(store, new Adjustment.Refund(first.receipt().held()));
    Decision.Counted second = decide(store, of(HELD, 2), consumed);
    assertThat(remaining(second)).containsExactly(2L, 4L);
    refund(store, second);
    assertThat(remaining(peek(store, of(HELD, 1), consumed))).containsExactly(4L, 7L);
  }

  @Test
  void a_renewal_takes_nothing_of_what_is_consumed() {
    Charge consumed = charge("calls", SLOW, alice, 3);
    Decision.Counted both = decide(store, consumed, of(HELD, 2));
    assertThat(renew(store, both)).isTrue();
    assertThat(remaining(peek(store, consumed, of(HELD, 1)))).containsExactly(7L, 2L);
    Decision.Counted nothingHeld = decide(store, consumed);
    assertThat(renew(store, nothingHeld)).isTrue();
  }

  @Test
  void a_hold_of_several_limits_is_renewed_only_if_all_are_held() {
    Charge other = charge("other", HELD, bob, 1);
    Decision.Counted both = decide(store, of(HELD, 1), other);
    assertThat(renew(store, both)).isTrue();
    adjust(new Adjustment.Reset(other.counter()));
    assertThat(renew(store, both)).isFalse();
  }

  @Test
  void where_a_rate_denies_nothing_is_held() {
    Charge spent = charge("calls", SLOW, bob, 10);
    decide(store, spent);
    assertThat(decide(store, of(HELD, 4), spent).allowed()).isFalse();
    assertThat(decide(store, of(HELD, 4)).allowed()).isTrue();
    assertThat(decide(store, of(HELD, 1), charge("free", SLOW, bob, 1)).allowed()).isFalse();
    assertThat(peek(store, charge("free", SLOW, bob, 1)).binding().remaining()).isEqualTo(10);
  }

  @Test
  void as_many_are_held_as_there_are_and_all_of_them_are_released() {
    decide(store, of(HELD, 1));
    Decision.Counted some = upTo(store, of(HELD, 100));
    assertThat(some.granted()).hasValue(3);
    assertThat(upTo(store, of(HELD, 100)).allowed()).isFalse();
    refund(store, some);
    assertThat(peek(store, of(HELD, 1)).binding().remaining()).isEqualTo(3);
  }

  @Test
  void a_reward_takes_no_permit_from_its_holder() {
    decide(store, of(HELD, 4));
    reward(HELD, 2);
    assertThat(decide(store, of(HELD, 1)).allowed()).isFalse();
  }

  @Test
  void a_blocked_counter_lets_its_holders_renew_and_release() {
    Decision.Counted granted = decide(store, of(HELD, 3));
    block(HELD, Duration.ofHours(1));
    assertThat(renew(store, granted)).isTrue();
    assertThat(decide(store, of(HELD, 1)).allowed()).isFalse();
    refund(store, granted);
    assertThat(retryAfter(decide(store, of(HELD, 4))))
        .isBetween(Duration.ofMinutes(55), Duration.ofHours(1));
  }

  @Test
  void holders_stay_when_the_numbers_change() {
    Decision.Counted granted = decide(store, charge("changed", HELD, alice, 3));
    Charge narrow = charge("changed", "2 concurrent", alice, 1);
    assertThat(decide(store, narrow).allowed()).isFalse();
    assertThat(decide(store, narrow).binding().remaining()).isZero();
    Charge wide = charge("changed", "5 concurrent", alice, 1);
    assertThat(decide(store, wide).binding().remaining()).isEqualTo(1);
    refund(store, granted);
    assertThat(decide(store, narrow).binding().remaining()).isZero();
  }

  @Test
  void racing_threads_never_hold_more_than_the_limit() throws Exception {
    Charge one = charge("raced", "3 concurrent", bob, 1);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger granted = new AtomicInteger();
    Race.run(
        thread -> {
          for (int i = 0; i < 100; i++) {
            Decision.Counted decision = decide(store, one);
            if (decision.allowed()) {
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              granted.incrementAndGet();
              inside.decrementAndGet();
              refund(store, decision);
            }
          }
        });
    assertThat(most.get()).isBetween(1, 3);
    assertThat(granted.get()).isGreaterThan(3);
    assertThat(peek(store, one).binding().remaining()).isEqualTo(3);
  }

  @Test
  void as_many_hold_as_the_largest_limit_says_and_each_is_told_from_the_others() {
    Charge one = charge("many", "1000 concurrent", alice, 1);
    List<Decision.Counted> granted =
        IntStream.range(0, 1_000).mapToObj(i -> decide(store, one)).toList();
    assertThat(granted).allMatch(Decision::allowed);
    assertThat(decide(store, one).allowed()).isFalse();
    for (int i = 0; i < 1_000; i += 2) {
      refund(store, granted.get(i));
      refund(store, granted.get(i));
    }
    assertThat(peek(store, one).binding().remaining()).isEqualTo(500);
  }
}
