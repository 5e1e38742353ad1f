package dev.weir.internal.permit;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Permits that are due at about the same time are renewed together. Each has a result of its own.
 */
class PermitRenewalsTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration THIRD = LEASE.dividedBy(3);
  private static final Duration SOON = THIRD.dividedBy(20);
  private static final Duration TICK = Duration.ofNanos(1_000);
  private static final Duration DEADLINE = Duration.ofHours(1);
  private static final int MANY = 10_000;
  private static final int TRIPS = MANY / PermitRenewals.MOST_PERMITS;

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final LimitStore local =
      LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  private final Counting store = new Counting(local);
  private final List<Receipt> lost = new ArrayList<>();
  private final LimiterListener listener =
      new LimiterListener() {
        @Override
        public void onPermitsLost(Receipt held) {
          lost.add(held);
        }
      };
  private final PermitManager permitManager =
      new PermitManager(store, DEADLINE, listener, scheduler, time);

  /** Counts renewals by how many leases each is of; some of which may fail. */
  private static final class Counting extends DelegatingStore {
    private final List<Integer> renewals = new ArrayList<>();
    private final List<Long> hours = new ArrayList<>();
    private int mostAnswered = Integer.MAX_VALUE;

    Counting(LimitStore store) {
      super(store);
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      if (adjustment instanceof Adjustment.Renew renew) {
        int leases = renew.receipt().grants().size();
        renewals.add(leases);
        hours.add(Math.round((double) deadline.remainingNanos() / DEADLINE.toNanos()));
        if (leases > mostAnswered) {
          throw new StoreUnavailableException("too many", Duration.ZERO, null);
        }
      }
      return store.adjust(adjustment, deadline);
    }
  }

  private static Charge of(int subject) {
    return charge("held", "2 concurrent, ttl 30s", Subject.of("user", "u" + subject), 1);
  }

  private List<Permits> holdMany() {
    List<Permits> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(permitManager.decide(request(of(i))));
    }
    return all;
  }

  @Test
  void ten_thousand_holds_are_renewed_in_a_few_trips() {
    List<Permits> all = holdMany();
    scheduler.advance(THIRD);
    assertThat(store.renewals).hasSize(TRIPS);
    scheduler.advance(LEASE.multipliedBy(2));
    assertThat(all).allMatch(Permits::isHeld);
    assertThat(store.renewals).hasSize(7 * TRIPS);
    all.forEach(Permits::close);
    assertThat(scheduler.waiting()).isZero();
    assertThat(peek(local, of(0)).binding().remaining()).isEqualTo(2);
    assertThat(lost).isEmpty();
  }

  @Test
  void each_of_a_few_that_are_renewed_together_has_the_time_of_one() {
    for (int i = 0; i < 3; i++) {
      permitManager.decide(request(of(i)));
    }
    scheduler.advance(THIRD);
    assertThat(store.hours).containsExactly(3L);
  }

  @Test
  void many_have_no_time_without_end() {
    List<Permits> all = holdMany();
    scheduler.advance(THIRD);
    assertThat(store.hours).hasSize(TRIPS).containsOnly((long) PermitRenewals.MOST_DEADLINES);
    assertThat(all).allMatch(Permits::isHeld);
  }

  @Test
  void those_of_one_counter_are_renewed_together_too() {
    List<Permits> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Charge charge = charge("held", "300 concurrent, ttl 30s", Subject.of("user", "all"), 1);
      all.add(permitManager.decide(request(charge)));
    }
    scheduler.advance(THIRD);
    assertThat(store.renewals).containsExactly(PermitRenewals.MOST_PERMITS, 100);
    assertThat(all).allMatch(Permits::isHeld);
  }

  @ParameterizedTest
  @CsvSource({"66, 3", "67, 2", "100, 2", "101, 1", "1000, 1"})
  void of_leases_of_many_permits_only_so_many_are_renewed_at_a_time_as_fit(
      int permits, int together) {
    List<Permits> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Subject subject = Subject.of("user", "u" + i);
      Charge charge = charge("held", "1000 concurrent, ttl 30s", subject, permits);
      all.add(permitManager.decide(request(charge)));
    }
    scheduler.advance(THIRD);
    assertThat(store.renewals).hasSize(12 / together).containsOnly(together);
    assertThat(all).allMatch(Permits::isHeld);
  }

  @Test
  void one_of_many_that_is_lost_is_told_of_and_all_others_go_on() {
    List<Permits> all = holdMany();
    AcquireRequests.adjust(local, new Adjustment.Reset(of(777).counter()));
    scheduler.advance(LEASE.multipliedBy(2));
    assertThat(lost).containsExactly(((Decision.Counted) all.get(777).decision()).receipt());
    assertThat(all.stream().filter(Permits::isHeld)).hasSize(MANY - 1);
    assertThat(store.renewals).as("no trip finds out which").hasSize(6 * TRIPS);
  }

  @Test
  void what_cannot_be_renewed_together_is_renewed_one_by_one() {
    List<Permits> all = holdMany();
    store.mostAnswered = 1;
    scheduler.advance(LEASE.multipliedBy(2));
    assertThat(all).allMatch(Permits::isHeld);
    assertThat(lost).isEmpty();
  }

  @Test
  void who_is_due_soon_goes_with_who_is_due_now_and_who_is_not_waits_his_time() {
    Permits first = permitManager.decide(request(of(1)));
    time.advance(SOON);
    Permits soon = permitManager.decide(request(of(2)));
    time.advance(THIRD.dividedBy(2));
    Permits later = permitManager.decide(request(of(3)));
    scheduler.advance(THIRD.dividedBy(2).minus(SOON));
    assertThat(store.renewals).containsExactly(2);
    scheduler.advance(THIRD.dividedBy(2).plus(SOON).minus(TICK));
    assertThat(store.renewals).containsExactly(2);
    scheduler.advance(TICK);
    assertThat(store.renewals).containsExactly(2, 1);
    assertThat(List.of(first, soon, later)).allMatch(Permits::isHeld);
  }

  @Test
  void who_is_closed_is_not_renewed_with_the_others() {
    List<Permits> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(permitManager.decide(request(of(i))));
    }
    all.get(0).close();
    all.get(3).close();
    scheduler.advance(THIRD);
    assertThat(store.renewals).containsExactly(3);
  }
}
