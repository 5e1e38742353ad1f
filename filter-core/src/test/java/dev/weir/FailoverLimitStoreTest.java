package dev.weir;

import static dev.weir.AcquireRequests.adjust;
import static dev.weir.AcquireRequests.charge;
import static dev.weir.AcquireRequests.decide;
import static dev.weir.AcquireRequests.refund;
import static dev.weir.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Failover routes on outages, and notifies the fallback of each change once. */
class FailoverLimitStoreTest {

  private static final Duration QUIET = Duration.ofMillis(1_500);

  private final ManualTime time = new ManualTime();
  private final SwitchableStore primary = new SwitchableStore(local());
  private final CountingFallback fallback = new CountingFallback(local());
  private final FailoverLimitStore store = new FailoverLimitStore(primary, fallback, time);
  private final Charge one = charge("limit", "10 per 30 days", Subject.of("a"), 1);

  private static LocalLimitStore local() {
    return new LocalLimitStore(LocalOptions.embedded());
  }

  @Test
  void the_primary_decides_while_it_can() {
    assertThat(decide(store, one).source()).isEqualTo(Source.REDIS);
    assertThat(fallback.takenOver).hasValue(0);
    assertThat(fallback.stoodBy).hasValue(0);
  }

  @Test
  void the_outage_policy_answers_while_it_cannot() throws Exception {
    primary.switchOff();

    assertThat(store.decide(request(OnOutage.LOCAL, one)).source()).isEqualTo(Source.LOCAL);
    assertThat(store.decide(request(OnOutage.ALLOW, one))).isEqualTo(Decision.open());
    assertThat(store.decide(request(OnOutage.DENY, one)))
        .isEqualTo(Decision.closed(SwitchableStore.NEXT_PROBE));
  }

  @Test
  void an_outage_begins_with_the_first_failure_whatever_the_policy() throws Exception {
    primary.switchOff();
    store.decide(request(OnOutage.DENY, one));
    assertThat(fallback.takenOver).hasValue(1);
    decide(store, one);
    assertThat(fallback.takenOver).hasValue(1);
  }

  @Test
  void an_outage_ends_with_the_first_decision_of_a_primary_that_is_all_healthy() {
    primary.switchOff();
    decide(store, one);
    time.advance(QUIET);

    primary.switchOnInPart();
    assertThat(decide(store, one).source()).isEqualTo(Source.REDIS);
    assertThat(fallback.stoodBy).hasValue(0);

    primary.switchOn();
    assertThat(decide(store, one).source()).isEqualTo(Source.REDIS);
    decide(store, one);
    assertThat(fallback.stoodBy).hasValue(1);
  }

  @Test
  void an_outage_does_not_end_until_no_decision_has_failed_for_a_while() {
    primary.switchOff();
    decide(store, one);
    for (int failure = 0; failure < 3; failure++) {
      primary.switchOff();
      decide(store, one);
      primary.switchOn();
      time.advance(QUIET.minusNanos(1));
      assertThat(decide(store, one).source()).isEqualTo(Source.REDIS);
    }
    assertThat(fallback.stoodBy).hasValue(0);

    time.advance(Duration.ofNanos(1));
    assertThat(decide(store, one).source()).isEqualTo(Source.REDIS);
    assertThat(fallback.stoodBy).hasValue(1);
    assertThat(fallback.takenOver).hasValue(1);
  }

  @Test
  void who_fails_alone_among_many_has_a_share_of_the_rate() {
    FailsOne failing = new FailsOne(local(), "broken");
    LocalLimitStore share =
        new LocalLimitStore(LocalOptions.sharedBy(NodeShare.of(1)).withTime(time, time::instant));
    FailoverLimitStore mixed = new FailoverLimitStore(failing, share, time);
    Charge broken = charge("broken", "10 per second", Subject.of("a"), 1);
    int admitted = 0;
    for (int hundredths = 0; hundredths < 6_000; hundredths++) {
      admitted += decide(mixed, broken).allowed() ? 1 : 0;
      decide(mixed, one);
      time.advance(Duration.ofMillis(10));
    }
    assertThat(admitted).isBetween(600, 610);
  }

  @Test
  void each_change_is_told_once_however_many_see_it() throws Exception {
    for (int flap = 1; flap <= 50; flap++) {
      primary.switchOff();
      Race.run(thread -> decide(store, one));
      assertThat(fallback.takenOver).hasValue(flap);
      assertThat(fallback.stoodBy).hasValue(flap - 1);
      primary.switchOn();
      time.advance(QUIET);
      Race.run(thread -> decide(store, one));
      assertThat(fallback.takenOver).hasValue(flap);
      assertThat(fallback.stoodBy).hasValue(flap);
    }
  }

  @Test
  void nobody_is_let_in_ahead_of_time_during_an_outage() {
    Charge all = charge("line", "10 per 30 days", Subject.of("a"), 10);
    assertThat(AcquireRequests.within(store, Duration.ofDays(30), all).allowed()).isTrue();
    assertThat(AcquireRequests.within(store, Duration.ofDays(30), all).allowed()).isTrue();
    primary.switchOff();
    assertThat(AcquireRequests.within(store, Duration.ofDays(30), all).delay()).isZero();
    assertThat(AcquireRequests.within(store, Duration.ofDays(30), all).allowed()).isFalse();
  }

  @Test
  void a_grant_is_given_back_to_the_store_that_made_it() {
    Charge all = charge("limit", "10 per 30 days", Subject.of("a"), 10);
    Decision.Counted shared = decide(store, all);
    primary.switchOff();
    Decision.Counted local = decide(store, all);

    refund(store, local);
    assertThat(decide(store, all).allowed()).isTrue();

    primary.switchOn();
    assertThat(decide(store, all).allowed()).isFalse();
    refund(store, shared);
    assertThat(decide(store, all).source()).isEqualTo(Source.REDIS);
    assertThat(decide(store, all).allowed()).isFalse();
  }

  @Test
  void a_grant_of_a_lost_store_is_not_given_back_elsewhere() {
    Charge all = charge("limit", "10 per 30 days", Subject.of("a"), 10);
    Decision.Counted shared = decide(store, all);
    primary.switchOff();
    decide(store, all);

    assertThatThrownBy(
            () ->
                store.adjust(
                    new Adjustment.Refund(shared.receipt()), Deadline.after(Duration.ofSeconds(1))))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(decide(store, all).allowed()).isFalse();
  }

  @Test
  void a_block_and_a_reset_hold_on_either_side_of_an_outage() {
    adjust(store, new Adjustment.Block(one.counter(), Duration.ofDays(1)));
    assertThat(decide(store, one).allowed()).isFalse();
    primary.switchOff();
    assertThat(decide(store, one).allowed()).isFalse();
    primary.switchOn();
    adjust(store, new Adjustment.Reset(one.counter()));
    assertThat(decide(store, one).allowed()).isTrue();
    primary.switchOff();
    assertThat(decide(store, one).allowed()).isTrue();
  }

  @Test
  void a_fallback_without_room_leaves_nothing_undone_in_the_primary() {
    LocalLimitStore full = new LocalLimitStore(LocalOptions.embedded().withMaxCounters(1));
    decide(full, charge("limit", "1 per day", Subject.of("other"), 1));
    FailoverLimitStore narrow = new FailoverLimitStore(primary, full, time);
    assertThatThrownBy(
            () ->
                narrow.adjust(
                    new Adjustment.Block(one.counter(), Duration.ofDays(1)),
                    Deadline.after(Duration.ofSeconds(1))))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("no room");
    assertThat(decide(narrow, one).allowed()).isFalse();
  }

  @Test
  void it_is_as_healthy_as_its_primary() {
    assertThat(store.isHealthy()).isTrue();
    primary.switchOff();
    assertThat(store.isHealthy()).isFalse();
  }

  @Test
  void closing_closes_the_fallback_even_when_the_primary_fails_to_close() {
    LimitStore unclosable =
        new LimitStore() {
          @Override
          public Decision decide(AcquireRequest request) throws StoreUnavailableException {
            return primary.decide(request);
          }

          @Override
          public boolean adjust(Adjustment adjustment, Deadline deadline) {
            return true;
          }

          @Override
          public void close() {
            throw new IllegalStateException("cannot close");
          }
        };
    FailoverLimitStore closing = new FailoverLimitStore(unclosable, fallback);

    assertThatThrownBy(closing::close).hasMessage("cannot close");
    assertThat(fallback.closed).isTrue();
  }

  @Test
  void other_failures_are_not_outages() {
    LimitStore broken =
        new LimitStore() {
          @Override
          public Decision decide(AcquireRequest request) {
            throw new IllegalStateException("a bug");
          }

          @Override
          public boolean adjust(Adjustment adjustment, Deadline deadline) {
            return true;
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> new FailoverLimitStore(broken, fallback).decide(request(one)))
        .hasMessage("a bug");
    assertThat(fallback.takenOver).hasValue(0);
  }

  /** A healthy store that fails whatever charges one limit. */
  private static final class FailsOne extends DelegatingStore {

    private final String limit;

    FailsOne(LimitStore store, String limit) {
      super(store);
      this.limit = limit;
    }

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      for (Charge charge : request.charges()) {
        if (charge.counter().name().equals(limit)) {
          throw new StoreUnavailableException("fails", SwitchableStore.NEXT_PROBE, null);
        }
      }
      return store.decide(request);
    }
  }
}
