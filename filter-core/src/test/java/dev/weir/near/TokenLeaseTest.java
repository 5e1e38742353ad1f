package dev.weir.near;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.internal.store.CounterKeys;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.Subject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a lease reports to the store, and what may be spent meanwhile and afterwards. */
class TokenLeaseTest {

  private static final long MILLI = 1_000_000;
  private static final long LENT = 15_000;
  private static final int NAME = 7;

  private final Charge one =
      AcquireRequests.charge("api", "1_000_000 per day window UTC", Subject.global(), 1);
  private final TokenLease lease =
      new TokenLease(new CounterKeys().of(one.counter()), one.counter().limit(), 0);

  /** Lends what a thousand requests of the first millisecond will be in the next fifteen. */
  private void lend() {
    lease.missed(1_000, 0);
    assertThat(lease.begin(1, MILLI)).isEqualTo(LENT);
    arrive(LENT, true, MILLI);
  }

  /** Begins the next fetch when ten permits are left, all of which are kept. */
  private void settleWithTenLeft() {
    lend();
    assertThat(spend(LENT - 10, MILLI)).isTrue();
    lease.begin(1, 2 * MILLI);
  }

  private void arrive(long permits, boolean carried, long nowNanos) {
    Verdict verdict = new Verdict(one.counter(), 500_000, Retry.NOW, 0);
    lease.finish(
        new Lending.Lease(verdict, permits, carried, NAME, 1, Duration.ofMinutes(1)),
        Math.max(permits, 1),
        nowNanos,
        nowNanos);
  }

  private boolean spend(long permits, long nowNanos) {
    return lease.state(nowNanos) != null
        && lease.available().take(permits) != AvailablePermits.NONE;
  }

  @Test
  void a_settled_lease_keeps_no_more_than_it_had() {
    lend();
    assertThat(spend(LENT - 10, MILLI)).isTrue();
    assertThat(lease.begin(1, 2 * MILLI)).isGreaterThan(LENT);
    assertThat(lease.settled()).isEqualTo(new Lending.Settlement(NAME, LENT, 10, 0));
    assertThat(spend(11, 2 * MILLI)).isFalse();
    assertThat(spend(10, 2 * MILLI)).isTrue();
    assertThat(spend(1, 2 * MILLI)).isFalse();
  }

  @Test
  void it_keeps_twice_the_demand_and_returns_the_rest() {
    lend();
    assertThat(spend(100, MILLI)).isTrue();
    lease.begin(1, 11 * MILLI);
    long demand = 150;
    long kept = 2 * demand;
    assertThat(lease.settled())
        .isEqualTo(new Lending.Settlement(NAME, LENT, kept, LENT - 100 - kept));
    assertThat(spend(kept + 1, 11 * MILLI)).isFalse();
    assertThat(spend(kept, 11 * MILLI)).isTrue();
  }

  @Test
  void the_next_lease_has_what_is_left_of_the_kept_permits_and_the_new_ones() {
    settleWithTenLeft();
    assertThat(spend(4, 2 * MILLI)).isTrue();
    arrive(20, true, 2 * MILLI);
    assertThat(spend(27, 2 * MILLI)).isFalse();
    assertThat(spend(26, 2 * MILLI)).isTrue();
    assertThat(spend(1, 2 * MILLI)).isFalse();
  }

  @Test
  void what_is_put_back_when_the_next_lease_has_come_is_there_again() {
    settleWithTenLeft();
    long round = lease.available().take(5);
    arrive(20, true, 2 * MILLI);
    lease.available().putBack(5, round);
    assertThat(lease.available().permits()).isEqualTo(30);
  }

  @Test
  void what_is_put_back_after_it_was_reported_as_spent_stays_spent() {
    lend();
    long round = lease.available().take(LENT - 10);
    lease.begin(1, 2 * MILLI);
    lease.available().putBack(LENT - 10, round);
    assertThat(lease.available().permits()).isEqualTo(10);
  }

  @Test
  void kept_permits_are_lost_when_the_store_does_not_carry_them_on() {
    settleWithTenLeft();
    arrive(20, false, 2 * MILLI);
    assertThat(spend(21, 2 * MILLI)).isFalse();
    assertThat(spend(20, 2 * MILLI)).isTrue();
  }

  @Test
  void an_ended_lease_returns_all_that_is_left_and_has_nothing_to_spend() {
    lend();
    assertThat(spend(100, MILLI)).isTrue();
    assertThat(lease.end(MILLI))
        .isEqualTo(
            new Lending.Ending(one.counter(), new Lending.Settlement(NAME, LENT, 0, LENT - 100)));
    assertThat(spend(1, MILLI)).isFalse();
  }
}
