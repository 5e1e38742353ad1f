package dev.weir.near;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Race;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class AvailablePermitsTest {

  private static final int TURNS = 20_000;

  private final AvailablePermits available = new AvailablePermits();

  @Test
  void all_are_taken_or_none() {
    available.add(5);
    assertThat(available.take(6)).isEqualTo(AvailablePermits.NONE);
    assertThat(available.take(5)).isNotEqualTo(AvailablePermits.NONE);
    assertThat(available.take(1)).isEqualTo(AvailablePermits.NONE);
    assertThat(available.permits()).isZero();
  }

  @Test
  void what_was_taken_comes_back_only_in_its_round() {
    available.add(10);
    long round = available.take(4);
    available.putBack(1, round);
    assertThat(available.permits()).isEqualTo(7);
    assertThat(available.cut(5)).isEqualTo(7);
    available.putBack(3, round);
    assertThat(available.permits()).isEqualTo(5);
  }

  @Test
  void a_round_keeps_no_more_than_there_is() {
    available.add(3);
    assertThat(available.cut(8)).isEqualTo(3);
    assertThat(available.permits()).isEqualTo(3);
  }

  @Test
  void the_most_that_fits_is_counted_in_any_round() {
    available.add(AvailablePermits.MOST);
    for (int i = 0; i < 100; i++) {
      assertThat(available.cut(AvailablePermits.MOST)).isEqualTo(AvailablePermits.MOST);
    }
    assertThat(available.take(AvailablePermits.MOST)).isEqualTo(100);
  }

  /**
   * One thread begins rounds and adds permits, and the others take them. A cut returns what is
   * left, and the permits that the new round does not keep are dropped.
   */
  @Test
  void no_permit_is_there_twice_and_none_is_lost() throws Exception {
    LongAdder added = new LongAdder();
    LongAdder taken = new LongAdder();
    LongAdder dropped = new LongAdder();
    AtomicBoolean negative = new AtomicBoolean();
    added.add(TURNS); // on a busy machine all others may run before the first
    available.add(TURNS);
    Race.run(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = 0; i < TURNS; i++) {
            if (thread == 0) {
              long most = random.nextLong(50);
              long left = available.cut(most);
              dropped.add(left - Math.min(most, left));
              long more = random.nextLong(40);
              added.add(more);
              available.add(more);
            } else {
              long permits = 1 + random.nextLong(3);
              taken.add(available.take(permits) == AvailablePermits.NONE ? 0 : permits);
            }
            negative.compareAndSet(false, available.permits() < 0);
          }
        });
    assertThat(negative).isFalse();
    assertThat(taken.sum() + dropped.sum() + available.permits()).isEqualTo(added.sum());
    assertThat(taken.sum()).isPositive();
  }

  /** Within one round everything that is put back counts. */
  @Test
  void what_is_put_back_in_its_round_is_there_again() throws Exception {
    available.add(1_000);
    LongAdder kept = new LongAdder();
    Race.run(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = 0; i < TURNS; i++) {
            long round = available.take(3);
            if (round != AvailablePermits.NONE && random.nextInt(200) > 0) {
              available.putBack(3, round);
            } else if (round != AvailablePermits.NONE) {
              kept.add(3);
            }
          }
        });
    assertThat(available.permits() + kept.sum()).isEqualTo(1_000);
  }

  /**
   * A permit that is put back around a cut is available, or spent. It is never both reported as
   * left and used by a thread.
   */
  @Test
  void what_is_put_back_around_a_cut_is_never_there_twice() throws Exception {
    LongAdder used = new LongAdder();
    LongAdder putBack = new LongAdder();
    LongAdder left = new LongAdder();
    LongAdder added = new LongAdder();
    int races = 0;
    do { // on a busy machine all others may run while nothing is available
      races++;
      Race.run(
          thread -> {
            for (int i = 0; i < TURNS; i++) {
              if (thread == 0) {
                left.add(available.cut(0));
                added.add(10);
                available.add(10);
                continue;
              }
              long round = available.take(1);
              if (round != AvailablePermits.NONE && i % 2 == 0) {
                used.increment();
              } else if (round != AvailablePermits.NONE) {
                putBack.increment();
                available.putBack(1, round);
              }
            }
          });
    } while (races < 100 && (used.sum() == 0 || putBack.sum() == 0));
    long atEnd = left.sum() + available.permits();
    assertThat(used.sum()).isPositive();
    assertThat(putBack.sum()).isPositive();
    assertThat(atEnd + used.sum()).isLessThanOrEqualTo(added.sum());
    assertThat(atEnd + used.sum() + putBack.sum()).isGreaterThanOrEqualTo(added.sum());
  }
}
