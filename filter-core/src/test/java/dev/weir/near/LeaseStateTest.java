package dev.weir.near;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AcquireRequests;
import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.Race;
import dev.weir.Retry;
import dev.weir.Subject;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class LeaseStateTest {

  private static final int TURNS = 20_000;

  private volatile LeaseState present = of(0);

  private static LeaseState of(long permits) {
    Charge charge = AcquireRequests.charge("api", "1000 per second", Subject.global(), 1);
    Verdict verdict = new Verdict(charge.counter(), 7, Retry.NOW, 0);
    return new LeaseState(
        new Decision.Lent(verdict, permits, true, 1, 1, Duration.ofMillis(15)), 0, 3, permits);
  }

  @Test
  void all_are_taken_or_none() {
    LeaseState state = of(5);
    assertThat(state.take(6)).isFalse();
    assertThat(state.take(5)).isTrue();
    assertThat(state.take(1)).isFalse();
    assertThat(state.left()).isZero();
  }

  @Test
  void what_was_taken_comes_back_only_before_the_close() {
    LeaseState state = of(10);
    assertThat(state.take(4)).isTrue();
    state.putBack(1);
    assertThat(state.left()).isEqualTo(7);
    assertThat(state.close()).isEqualTo(7);
    LeaseState next = state.with(5);
    state.putBack(3);
    assertThat(state.left()).isZero();
    assertThat(next.left()).isEqualTo(5);
  }

  @Test
  void nothing_is_taken_or_left_after_the_close() {
    LeaseState state = of(3);
    assertThat(state.close()).isEqualTo(3);
    assertThat(state.take(1)).isFalse();
    assertThat(state.left()).isZero();
    assertThat(state.close()).isZero();
  }

  @Test
  void the_most_that_fits_is_counted_in_any_state() {
    LeaseState state = of(Long.MAX_VALUE);
    for (int i = 0; i < 100; i++) {
      assertThat(state.close()).isEqualTo(Long.MAX_VALUE);
      state = state.with(Long.MAX_VALUE);
    }
    assertThat(state.take(Long.MAX_VALUE)).isTrue();
    assertThat(state.left()).isZero();
  }

  @Test
  void it_is_low_below_the_number_for_the_next_fetch() {
    LeaseState state = of(4);
    assertThat(state.take(1)).isTrue();
    assertThat(state.isLow()).isFalse();
    assertThat(state.take(1)).isTrue();
    assertThat(state.isLow()).isTrue();
    assertThat(state.with(3).isLow()).isFalse();
  }

  /**
   * One thread closes states and adds permits, and the others take them. A close returns what is
   * left, and the permits that the next state does not keep are dropped.
   */
  @Test
  void no_permit_is_there_twice_and_none_is_lost() throws Exception {
    present = of(1_000);
    LongAdder added = new LongAdder();
    added.add(1_000);
    LongAdder taken = new LongAdder();
    LongAdder dropped = new LongAdder();
    AtomicBoolean negative = new AtomicBoolean();
    Race.run(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = 0; i < TURNS; i++) {
            LeaseState state = present;
            if (thread == 0) {
              long left = state.close();
              long kept = Math.min(random.nextLong(50), left);
              dropped.add(left - kept);
              long more = random.nextLong(40);
              added.add(more);
              present = state.with(kept + more);
            } else {
              long permits = 1 + random.nextLong(3);
              taken.add(state.take(permits) ? permits : 0);
            }
            negative.compareAndSet(false, state.left() < 0);
          }
        });
    assertThat(negative).isFalse();
    assertThat(taken.sum() + dropped.sum() + present.left()).isEqualTo(added.sum());
    assertThat(taken.sum()).isPositive();
  }

  /** Until the close everything that is put back counts. */
  @Test
  void what_is_put_back_before_the_close_is_there_again() throws Exception {
    LeaseState state = of(1_000);
    LongAdder kept = new LongAdder();
    Race.run(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = 0; i < TURNS; i++) {
            if (state.take(3)) {
              if (random.nextInt(200) > 0) {
                state.putBack(3);
              } else {
                kept.add(3);
              }
            }
          }
        });
    assertThat(state.left() + kept.sum()).isEqualTo(1_000);
  }

  /**
   * A permit that is put back around a close is left there, or spent. It is never left in a state
   * and used by a thread as well.
   */
  @Test
  void what_is_put_back_around_a_close_is_never_there_twice() throws Exception {
    present = of(0);
    LongAdder used = new LongAdder();
    LongAdder putBack = new LongAdder();
    LongAdder left = new LongAdder();
    LongAdder added = new LongAdder();
    Race.run(
        thread -> {
          for (int i = 0; i < TURNS; i++) {
            LeaseState state = present;
            if (thread == 0) {
              left.add(state.close());
              added.add(10);
              present = state.with(10);
            } else if (state.take(1)) {
              if (i % 2 == 0) {
                used.increment();
              } else {
                putBack.increment();
                state.putBack(1);
              }
            }
          }
        });
    long atEnd = left.sum() + present.left();
    assertThat(used.sum()).isPositive();
    assertThat(putBack.sum()).isPositive();
    assertThat(atEnd + used.sum()).isLessThanOrEqualTo(added.sum());
    assertThat(atEnd + used.sum() + putBack.sum()).isGreaterThanOrEqualTo(added.sum());
  }
}
