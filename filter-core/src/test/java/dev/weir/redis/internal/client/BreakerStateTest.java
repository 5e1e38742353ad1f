package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.client.BreakerState.Closed;
import dev.weir.redis.internal.client.BreakerState.Open;
import org.junit.jupiter.api.Test;

class BreakerStateTest {

  private static final long DELAY = 500_000_000L;
  private static final long NEAR_OVERFLOW = Long.MAX_VALUE - 100_000_000L;

  private long now = NEAR_OVERFLOW;
  private BreakerState breaker = BreakerState.closed(now);

  @Test
  void opens_at_five_failures_in_a_row() {
    fail(4);
    assertThat(breaker).isInstanceOf(Closed.class);
    fail(1);
    assertThat(breaker).isEqualTo(new Open(0, now + DELAY));
  }

  @Test
  void a_success_breaks_the_row() {
    for (int i = 0; i < 4; i++) {
      fail(4);
      succeed(9);
    }
    assertThat(breaker).isInstanceOf(Closed.class);
  }

  @Test
  void opens_when_half_of_twenty_calls_in_a_second_failed() {
    for (int i = 0; i < 9; i++) {
      fail(1);
      succeed(1);
    }
    succeed(1);
    assertThat(breaker).isInstanceOf(Closed.class);
    fail(1);
    assertThat(breaker).isInstanceOf(Open.class);
  }

  @Test
  void less_than_half_keeps_it_closed() {
    for (int i = 0; i < 1_000; i++) {
      fail(1);
      succeed(2);
    }
    assertThat(breaker).isInstanceOf(Closed.class);
  }

  @Test
  void failures_of_another_second_do_not_count_for_the_share() {
    for (int i = 0; i < 40; i++) {
      if (i % 9 == 0) {
        now += 1_000_000_001L;
      }
      fail(1);
      succeed(1);
    }
    assertThat(breaker).isInstanceOf(Closed.class);
  }

  @Test
  void opens_at_once_at_a_failure_that_proves_it() {
    breaker = breaker.afterProof(now + DELAY);
    assertThat(breaker).isEqualTo(new Open(0, now + DELAY));
    assertThat(breaker.afterProof(now + 2 * DELAY)).isEqualTo(breaker);
  }

  @Test
  void closes_after_three_probes_in_a_row() {
    fail(5);
    probe(true);
    assertThat(breaker).isEqualTo(new Open(1, now + DELAY));
    probe(true);
    probe(false);
    assertThat(breaker).isEqualTo(new Open(0, now + DELAY));
    probe(true);
    probe(true);
    assertThat(breaker).isInstanceOf(Open.class);
    probe(true);
    assertThat(breaker).isEqualTo(new Closed(0, now, 0, 0));
  }

  @Test
  void calls_that_were_under_way_when_it_opened_change_nothing() {
    fail(5);
    BreakerState open = breaker;
    now += 1;
    succeed(10);
    fail(10);
    assertThat(breaker).isEqualTo(open);
  }

  private void succeed(int times) {
    for (int i = 0; i < times; i++) {
      breaker = breaker.afterSuccess(now);
    }
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker = breaker.afterFailure(now, DELAY);
    }
  }

  private void probe(boolean succeeded) {
    now += DELAY;
    breaker = breaker.afterProbe(succeeded, now, DELAY);
  }
}
