package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.remaining;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.weir.fixture.Race;
import dev.weir.store.AcquireRequest.Charge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store, whatever its time is. It has the contracts of one counter and of
 * several. It adds refunds, races and the end of a store.
 *
 * <p>To run it, extend it and {@link #open} a store with the whole limit as its share. Each test
 * has a store and subjects of its own, so one Redis may serve all. A store into which time can be
 * injected extends {@link TimedLimitStoreContract} instead, which has this and more.
 */
public abstract class LimitStoreContract extends SeveralCountersContract {

  @Test
  void what_is_given_back_can_be_taken_again() {
    for (String limit : List.of(SLOW, SLOW_WINDOW, "10 per month window UTC")) {
      Charge some = charge(limit, limit, alice, 6);
      Decision.Counted granted = decide(store, some);
      assertThat(decide(store, some).allowed()).isFalse();
      refund(store, granted);
      assertThat(decide(store, some).binding().remaining()).isEqualTo(4);
    }
  }

  @Test
  void giving_back_returns_every_counter_of_the_receipt() {
    Charge here = charge("here", SLOW, alice, 6);
    Charge there = charge("there", SLOW_WINDOW, bob, 7);
    refund(store, decide(store, here, there));
    assertThat(remaining(decide(store, here, there))).containsExactly(4L, 3L);
  }

  @Test
  void giving_back_a_denial_changes_nothing() {
    decide(store, many(SLOW, 8));
    refund(store, decide(store, many(SLOW, 3)));
    assertThat(decide(store, one(SLOW)).binding().remaining()).isEqualTo(1);
  }

  @Test
  void giving_back_never_fills_above_the_burst() {
    Charge fast = charge("fast", "10_000_000 per second, burst 10", alice, 10);
    Decision.Counted granted = decide(store, fast);
    letPass(Duration.ofMillis(5));
    refund(store, granted);
    assertThat(
            decide(store, charge("fast", "10_000_000 per second, burst 10", alice, 1))
                .binding()
                .remaining())
        .isEqualTo(9);
  }

  @Test
  void racing_threads_never_get_more_than_the_limit() throws Exception {
    for (String limit : List.of("1000 per 30 days", "1000 per 30 days window")) {
      AcquireRequest one = request(charge("raced " + limit, limit, alice, 1));
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
    // a window: of a bucket, time repays a part of what is refunded across slots
    Charge wide = charge("wide", "2000 per 30 days window", bob, 1);
    LongAdder admitted = new LongAdder();
    Race.run(
        thread -> {
          AcquireRequest both = thread % 2 == 0 ? request(tight, wide) : request(wide, tight);
          for (int i = 0; i < 125; i++) {
            admitted.add(decide(store, both).allowed() ? 1 : 0);
          }
        });
    assertThat(admitted.sum()).isEqualTo(500);
    assertThat(decide(store, wide).binding().remaining()).isEqualTo(1499);
  }

  @Test
  void a_closed_store_says_that_it_is_gone() {
    store.close();
    store.close();
    assertThatThrownBy(() -> store.decide(request(one(SLOW))))
        .asInstanceOf(type(StoreUnavailableException.class))
        .extracting(StoreUnavailableException::nextProbe, as(DURATION))
        .isPositive();
  }
}
