package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.renew;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store promises of permits that are held as time passes. */
public abstract class TimedPermitsContract extends TimedAdjustmentsContract {

  private static final Duration TICK = Duration.ofNanos(1_000);
  private static final String HELD = "2 concurrent, ttl 10s";
  private static final Duration LEASE = Duration.ofSeconds(10);

  @Test
  void a_holder_that_has_crashed_loses_its_permits_when_its_lease_ends_and_not_before() {
    decide(store, of(HELD, 2));
    advance(LEASE.minus(TICK));
    Decision.Counted denied = decide(store, of(HELD, 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(retryAfter(denied)).isEqualTo(TICK);
    advance(TICK);
    assertThat(peek(store, of(HELD, 1)).binding().resetAfter()).isZero();
    assertThat(decide(store, of(HELD, 2)).allowed()).isTrue();
  }

  @Test
  void a_renewed_lease_ends_a_whole_lease_later() {
    Decision.Counted granted = decide(store, of(HELD, 2));
    for (int i = 0; i < 20; i++) {
      advance(LEASE.minus(TICK));
      assertThat(renew(store, granted)).isTrue();
      assertThat(retryAfter(decide(store, of(HELD, 1)))).isEqualTo(LEASE);
    }
    advance(LEASE);
    assertThat(renew(store, granted)).isFalse();
    assertThat(decide(store, of(HELD, 2)).allowed()).isTrue();
  }

  @Test
  void several_holds_are_renewed_together_also_those_of_one_counter() {
    Charge elsewhere = AcquireRequests.charge(HELD, HELD, bob, 1);
    Receipt all = together(decide(store, of(HELD, 1)), decide(store, of(HELD, 1)));
    all = together(all, decide(store, elsewhere).receipt());
    advance(LEASE.minus(TICK));
    assertThat(AcquireRequests.adjust(store, new Adjustment.Renew(all))).isEmpty();
    advance(LEASE.minus(TICK));
    assertThat(peek(store, of(HELD, 1)).binding().remaining()).isZero();
    assertThat(peek(store, elsewhere).binding().remaining()).isEqualTo(1);
    AcquireRequests.adjust(store, new Adjustment.Refund(all));
    assertThat(AcquireRequests.adjust(store, new Adjustment.Renew(all)))
        .containsExactlyInAnyOrderElementsOf(all.grants());
    assertThat(decide(store, of(HELD, 2)).allowed()).isTrue();
  }

  @Test
  void of_several_that_are_renewed_together_each_that_has_ended_is_named() {
    Charge elsewhere = AcquireRequests.charge(HELD, HELD, bob, 1);
    Decision.Counted gone = decide(store, of(HELD, 1));
    Receipt all =
        together(together(decide(store, of(HELD, 1)), gone), decide(store, elsewhere).receipt());
    AcquireRequests.adjust(store, new Adjustment.Refund(gone.receipt()));
    assertThat(AcquireRequests.adjust(store, new Adjustment.Renew(all)))
        .containsExactlyElementsOf(gone.receipt().grants());
  }

  private static Receipt together(Decision.Counted one, Decision.Counted other) {
    return together(one.receipt(), other.receipt());
  }

  private static Receipt together(Receipt one, Receipt other) {
    List<Receipt.Grant> grants = new ArrayList<>(one.grants());
    grants.addAll(other.grants());
    return new Receipt(one.source(), grants);
  }

  @Test
  void a_release_after_the_lease_frees_nobody_elses_permits() {
    Decision.Counted late = decide(store, of(HELD, 2));
    advance(LEASE);
    decide(store, of(HELD, 2));
    refund(store, late);
    assertThat(renew(store, late)).isFalse();
    assertThat(decide(store, of(HELD, 1)).allowed()).isFalse();
    advance(LEASE.minus(TICK));
    refund(store, late);
    assertThat(decide(store, of(HELD, 1)).allowed()).isFalse();
  }

  @Test
  void retry_after_is_the_end_of_as_many_leases_as_it_takes() {
    String limit = "5 concurrent, ttl 10s";
    for (int second = 0; second < 5; second++) {
      decide(store, of(limit, 1));
      advance(Duration.ofSeconds(1));
    }
    for (long permits = 1; permits <= 5; permits++) {
      assertThat(retryAfter(decide(store, of(limit, permits))))
          .isEqualTo(Duration.ofSeconds(4 + permits));
    }
    assertThat(peek(store, of(limit, 1)).binding().resetAfter()).isEqualTo(Duration.ofSeconds(9));
    advance(Duration.ofSeconds(7));
    assertThat(decide(store, of(limit, 3)).binding().remaining()).isZero();
  }

  @Test
  void each_holder_keeps_the_lease_that_it_was_granted() {
    Decision.Counted longer = decide(store, charge("changed", "2 concurrent, ttl 1m", alice, 1));
    Charge shorter = charge("changed", "2 concurrent, ttl 1s", alice, 1);
    decide(store, shorter);
    assertThat(retryAfter(decide(store, shorter))).isEqualTo(Duration.ofSeconds(1));
    advance(Duration.ofSeconds(30));
    assertThat(decide(store, shorter).binding().remaining()).isZero();
    assertThat(renew(store, longer)).isTrue();
    advance(Duration.ofMinutes(1).minus(TICK));
    assertThat(peek(store, shorter).binding().remaining()).isEqualTo(1);
    advance(TICK);
    assertThat(peek(store, shorter).binding().remaining()).isEqualTo(2);
  }

  @Test
  void a_renewal_never_shortens_a_lease() {
    Decision.Counted granted = decide(store, charge("changed", "1 concurrent, ttl 1m", alice, 1));
    Receipt.Grant grant = granted.receipt().grants().get(0);
    Charge shorter = charge("changed", "1 concurrent, ttl 1s", alice, 1);
    Receipt shortened =
        new Receipt(granted.receipt().source(), List.of(new Receipt.Grant(shorter, grant.stamp())));
    assertThat(AcquireRequests.adjust(store, new Adjustment.Renew(shortened))).isEmpty();
    assertThat(retryAfter(decide(store, shorter))).isEqualTo(Duration.ofMinutes(1));
  }
}
