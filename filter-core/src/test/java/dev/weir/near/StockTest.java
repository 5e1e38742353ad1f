package dev.weir.near;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Race;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class StockTest {

  private static final int TURNS = 20_000;

  private final Stock stock = new Stock();

  @Test
  void all_are_taken_or_none() {
    stock.add(5);
    assertThat(stock.take(6)).isEqualTo(Stock.NONE);
    assertThat(stock.take(5)).isNotEqualTo(Stock.NONE);
    assertThat(stock.take(1)).isEqualTo(Stock.NONE);
    assertThat(stock.permits()).isZero();
  }

  @Test
  void what_was_taken_comes_back_only_in_its_round() {
    stock.add(10);
    long round = stock.take(4);
    stock.putBack(1, round);
    assertThat(stock.permits()).isEqualTo(7);
    assertThat(stock.cut(5)).isEqualTo(7);
    stock.putBack(3, round);
    assertThat(stock.permits()).isEqualTo(5);
  }

  @Test
  void a_round_keeps_no_more_than_there_is() {
    stock.add(3);
    assertThat(stock.cut(8)).isEqualTo(3);
    assertThat(stock.permits()).isEqualTo(3);
  }

  @Test
  void the_most_that_fits_is_counted_in_any_round() {
    stock.add(Stock.MOST);
    for (int i = 0; i < 100; i++) {
      assertThat(stock.cut(Stock.MOST)).isEqualTo(Stock.MOST);
    }
    assertThat(stock.take(Stock.MOST)).isEqualTo(100);
  }

  /**
   * One thread begins rounds and adds, the others take and put back. What a round keeps is told of
   * when it is cut; what is put back after it, is spent.
   */
  @Test
  void no_permit_is_there_twice_and_none_is_lost() throws Exception {
    LongAdder added = new LongAdder();
    LongAdder taken = new LongAdder();
    LongAdder dropped = new LongAdder();
    AtomicBoolean negative = new AtomicBoolean();
    Race.run(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = 0; i < TURNS; i++) {
            if (thread == 0) {
              long most = random.nextLong(50);
              long left = stock.cut(most);
              dropped.add(left - Math.min(most, left));
              long more = random.nextLong(40);
              added.add(more);
              stock.add(more);
            } else {
              long permits = 1 + random.nextLong(3);
              taken.add(stock.take(permits) == Stock.NONE ? 0 : permits);
            }
            negative.compareAndSet(false, stock.permits() < 0);
          }
        });
    assertThat(negative).isFalse();
    assertThat(taken.sum() + dropped.sum() + stock.permits()).isEqualTo(added.sum());
    assertThat(taken.sum()).isPositive();
  }

  /** Within one round everything that is put back counts. */
  @Test
  void what_is_put_back_in_its_round_is_there_again() throws Exception {
    stock.add(1_000);
    LongAdder kept = new LongAdder();
    Race.run(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int i = 0; i < TURNS; i++) {
            long round = stock.take(3);
            if (round != Stock.NONE && random.nextInt(200) > 0) {
              stock.putBack(3, round);
            } else if (round != Stock.NONE) {
              kept.add(3);
            }
          }
        });
    assertThat(stock.permits() + kept.sum()).isEqualTo(1_000);
  }

  /** Whoever cuts reads exactly what nobody can have any more. */
  @Test
  void what_is_put_back_too_late_is_spent() throws Exception {
    LongAdder spent = new LongAdder();
    LongAdder left = new LongAdder();
    LongAdder added = new LongAdder();
    Race.run(
        thread -> {
          for (int i = 0; i < TURNS; i++) {
            if (thread == 0) {
              left.add(stock.cut(0));
              added.add(10);
              stock.add(10);
            } else {
              long round = stock.take(1);
              if (round != Stock.NONE) {
                spent.increment();
                stock.putBack(1, round);
              }
            }
          }
        });
    assertThat(left.sum() + stock.permits()).isLessThanOrEqualTo(added.sum());
    assertThat(left.sum() + stock.permits() + spent.sum()).isGreaterThanOrEqualTo(added.sum());
  }
}
