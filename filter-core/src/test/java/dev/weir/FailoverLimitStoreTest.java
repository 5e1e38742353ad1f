package dev.weir;

import static dev.weir.fixture.AcquireRequests.adjust;
import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.Race;
import dev.weir.fixture.SwitchableStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Failover routes on outages, and notifies the fallback of each change once. */
class FailoverLimitStoreTest {

  private static final Duration QUIET = Duration.ofMillis(1_500);

  private final ManualTime time = new ManualTime();
  private final SwitchableStore primary = new SwitchableStore(local());
  private final CountingFallback fallback = new CountingFallback(local());
  private final FailoverLimitStore store = FailoverLimitStore.of(primary, fallback, time);
  private final Charge one = charge("limit", "10 per 30 days", Subject.of("a"), 1);

  private static LocalLimitStore local() {
    return LocalLimitStore.of();
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
    assertThat(store.decide(request(OnOutage.ALLOW, one))).isEqualTo(Decision.failOpen());
    assertThat(store.decide(request(OnOutage.DENY, one)))
        .isEqualTo(Decision.failClosed(SwitchableStore.NEXT_PROBE));
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

  @ParameterizedTest
  @CsvSource({
    "OUTAGE, false", "OUTAGE, true",
    "OVERLOADED, false", "OVERLOADED, true",
    "OUT_OF_TIME, false", "OUT_OF_TIME, true",
    "FAILED, false", "FAILED, true"
  })
  void who_fails_alone_among_many_has_a_share_of_the_rate(Kind kind, boolean afterAnOutage) {
    FailoverLimitStore mixed = failing(kind, 1);
    if (afterAnOutage) {
      outage(mixed);
    }
    Charge alone = charge("alone", "10 per second", Subject.of("a"), 1);
    int admitted = 0;
    for (int hundredths = 0; hundredths < 6_000; hundredths++) {
      admitted += decide(mixed, alone).allowed() ? 1 : 0;
      decide(mixed, one);
      time.advance(Duration.ofMillis(10));
    }
    assertThat(admitted).isBetween(600, 610);
  }

  /** The others end each outage long before the next request comes. */
  @ParameterizedTest
  @CsvSource({"OUT_OF_TIME, false", "OUT_OF_TIME, true", "FAILED, false", "FAILED, true"})
  void who_seldom_asks_without_time_is_not_locked_out(Kind kind, boolean afterAnOutage) {
    FailoverLimitStore mixed = failing(kind, 1);
    if (afterAnOutage) {
      outage(mixed);
    }
    Charge alone = charge("alone", "6 per hour", Subject.of("a"), 1);
    for (int minutes = 0; minutes < 600; minutes++) {
      if (minutes % 10 == 0) {
        assertThat(decide(mixed, alone).allowed()).as("after %d minutes", minutes).isTrue();
      }
      decide(mixed, one);
      time.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  void requests_without_time_give_who_makes_the_store_flap_no_more_than_the_share() {
    FailoverLimitStore mixed = failing(Kind.OUT_OF_TIME, 2);
    Charge flapping = charge("gone", "10 per minute", Subject.of("a"), 1);
    Charge other = charge("alone", "10 per minute", Subject.of("b"), 1);
    int local = 0;
    for (int flap = 0; flap < 24; flap++) {
      for (int tenths = 0; tenths < 10; tenths++) {
        local += admittedOf(9, mixed, flapping);
        time.advance(Duration.ofMillis(100));
      }
      time.advance(QUIET);
      decide(mixed, one);
      decide(mixed, other);
      time.advance(QUIET);
    }
    assertThat(local).as("a burst of 5, and 5 per minute for 96 s").isLessThanOrEqualTo(13);
  }

  /** It fails in this way what charges "alone", and is out for what charges "gone". */
  private FailoverLimitStore failing(Kind kind, int nodes) {
    LocalLimitStore share =
        LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    return FailoverLimitStore.of(
        new FailsOne(new FailsOne(local(), "gone", Kind.OUTAGE), "alone", kind), share, time);
  }

  private void outage(FailoverLimitStore mixed) {
    decide(mixed, charge("gone", "10 per second", Subject.of("a"), 1));
    time.advance(QUIET);
    decide(mixed, one);
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
    assertThat(decide(store, one).binding().blockedFor()).isPresent();
    primary.switchOff();
    Decision.Counted denied = decide(store, one);
    assertThat(denied.source()).isEqualTo(Source.LOCAL);
    assertThat(denied.binding().blockedFor()).isPresent().isEqualTo(denied.retryAfter());
    primary.switchOn();
    adjust(store, new Adjustment.Reset(one.counter()));
    assertThat(decide(store, one).allowed()).isTrue();
    primary.switchOff();
    assertThat(decide(store, one).allowed()).isTrue();
  }

  @Test
  void a_fallback_without_room_leaves_nothing_undone_in_the_primary() {
    LocalLimitStore full = LocalLimitStore.of(LocalOptions.of().withMaxCounters(1));
    decide(full, charge("limit", "1 per day", Subject.of("other"), 1));
    FailoverLimitStore narrow = FailoverLimitStore.of(primary, full, time);
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
          public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline) {
            return Set.of();
          }

          @Override
          public void close() {
            throw new IllegalStateException("cannot close");
          }
        };
    FailoverLimitStore closing = FailoverLimitStore.of(unclosable, fallback);

    assertThatThrownBy(closing::close).hasMessage("cannot close");
    assertThat(fallback.closed).isTrue();
  }

  @ParameterizedTest
  @EnumSource(OnOutage.class)
  void a_closed_store_throws_whatever_the_policy(OnOutage onOutage) {
    store.close();
    assertThatThrownBy(() -> store.decide(request(onOutage, one)))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(fallback.takenOver).hasValue(0);
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
          public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline) {
            return Set.of();
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> FailoverLimitStore.of(broken, fallback).decide(request(one)))
        .hasMessage("a bug");
    assertThat(fallback.takenOver).hasValue(0);
  }

  /** A healthy store that fails in one way whatever charges one limit. */
  private static final class FailsOne extends DelegatingStore {

    private final String limit;
    private final Kind kind;

    FailsOne(LimitStore store, String limit, Kind kind) {
      super(store);
      this.limit = limit;
      this.kind = kind;
    }

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      for (Charge charge : request.charges()) {
        if (charge.counter().name().equals(limit)) {
          throw new StoreUnavailableException("fails", kind, SwitchableStore.NEXT_PROBE, null);
        }
      }
      return store.decide(request);
    }
  }
}
