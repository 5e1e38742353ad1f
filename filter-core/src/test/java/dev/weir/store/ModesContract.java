package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static dev.weir.fixture.AcquireRequests.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every store for requests that take what is available, and for peeks. */
abstract class ModesContract extends OneCounterContract {

  static final List<String> SLOW_LIMITS =
      List.of(
          SLOW, SLOW_WINDOW, "10 per month window UTC", SLOW_SLIDING, "10 concurrent, ttl 30 days");

  @Test
  void as_many_permits_as_there_are_are_granted_and_charged() {
    for (String limit : SLOW_LIMITS) {
      assertThat(granted(upTo(store, charge(limit, limit, alice, 4)))).containsExactly(4L, 6L);
      assertThat(granted(upTo(store, charge(limit, limit, alice, 7)))).containsExactly(6L, 0L);
    }
  }

  @Test
  void a_request_above_the_capacity_takes_all_that_there_is() {
    for (String limit : SLOW_LIMITS) {
      for (long permits : new long[] {11, 1L << 31, (1L << 53) + 1, Long.MAX_VALUE}) {
        Charge above = charge(limit + permits, limit, alice, permits);
        assertThat(granted(upTo(store, above))).containsExactly(10L, 0L);
      }
    }
  }

  @Test
  void where_no_permit_is_left_it_is_denied_as_a_request_for_one_is() {
    for (String limit : SLOW_LIMITS) {
      decide(store, charge(limit, limit, alice, 10));
      Decision.Counted denied = upTo(store, charge(limit, limit, alice, 8));
      assertThat(denied.allowed()).isFalse();
      assertThat(granted(denied)).containsExactly(0L, 0L);
      assertThat(denied.receipt().grants()).isEmpty();
      assertThat(retryAfter(denied))
          .isGreaterThanOrEqualTo(retryAfter(decide(store, charge(limit, limit, alice, 1))))
          .isLessThan(retryAfter(decide(store, charge(limit, limit, alice, 1))).plusMinutes(5));
    }
  }

  @Test
  void what_was_granted_in_part_is_given_back_exactly() {
    for (String limit : SLOW_LIMITS) {
      decide(store, charge(limit, limit, alice, 7));
      refund(store, upTo(store, charge(limit, limit, alice, 8)));
      assertThat(decide(store, charge(limit, limit, alice, 1)).binding().remaining()).isEqualTo(2);
    }
  }

  @Test
  void a_look_tells_what_would_be_answered_and_charges_nothing() {
    for (String limit : SLOW_LIMITS) {
      assertThat(peek(store, charge(limit, limit, alice, 10)).binding().resetAfter()).isZero();
      decide(store, charge(limit, limit, alice, 4));
      for (int i = 0; i < 20; i++) {
        Decision.Counted fits = peek(store, charge(limit, limit, alice, 6));
        assertThat(fits.allowed()).isTrue();
        assertThat(granted(fits)).containsExactly(0L, 6L);
        assertThat(fits.receipt().grants()).isEmpty();
      }
      Charge more = charge(limit, limit, alice, 7);
      assertThat(peek(store, more).allowed()).isFalse();
      assertThat(retryAfter(peek(store, more)))
          .isGreaterThanOrEqualTo(retryAfter(decide(store, more)));
      assertThat(peek(store, charge(limit, limit, alice, 11)).isNeverSatisfiable()).isTrue();
      assertThat(decide(store, charge(limit, limit, alice, 6)).binding().remaining()).isZero();
    }
  }

  @Test
  void a_look_at_several_limits_names_the_one_that_would_bind() {
    Charge tight = charge("tight", "2 per 30 days", alice, 1);
    Charge wide = charge("wide", SLOW_WINDOW, bob, 2);
    decide(store, tight, wide);
    Decision.Counted fits = peek(store, wide, tight);
    assertThat(fits.allowed()).isTrue();
    assertThat(fits.limitName()).hasValue("tight");
    assertThat(AcquireRequests.remaining(fits)).containsExactly(8L, 1L);

    decide(store, tight, wide);
    Decision.Counted denied = peek(store, wide, tight);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limitName()).hasValue("tight");
    assertThat(AcquireRequests.remaining(denied)).containsExactly(6L, 0L);
  }

  /** How many permits were granted, and how many are left. */
  static List<Long> granted(Decision.Counted decision) {
    return List.of(decision.granted().orElseThrow(), decision.binding().remaining());
  }
}
