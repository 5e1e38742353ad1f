package dev.weir.internal.permit;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.remaining;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.FailoverLimitStore;
import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is held is renewed until it is closed, over outages and pauses. */
class PermitManagerTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration TTL = Duration.ofSeconds(12);
  private static final Duration TICK = Duration.ofNanos(1_000);

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final SwitchableStore primary = new SwitchableStore(local());
  private final LimitStore store = FailoverLimitStore.of(primary, local(), time);
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
  private final Charge held = charge("held", "3 concurrent, ttl 12s", Subject.of("a"), 2);
  private final Charge rest = charge("held", "3 concurrent, ttl 12s", Subject.of("a"), 1);

  private LocalLimitStore local() {
    return LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  }

  private long free() {
    return peek(store, rest).binding().remaining();
  }

  @Test
  void what_is_held_is_renewed_until_it_is_closed() {
    Permits hold = permitManager.decide(request(held));
    for (int i = 0; i < 100; i++) {
      scheduler.advance(TTL.minus(TICK));
      assertThat(hold.isHeld()).isTrue();
      assertThat(free()).isEqualTo(1);
    }
    hold.close();
    assertThat(hold.isHeld()).isFalse();
    assertThat(free()).isEqualTo(3);
    assertThat(scheduler.waiting()).isZero();
    assertThat(lost).isEmpty();
  }

  @Test
  void what_nobody_refers_to_any_more_ends_with_its_lease() {
    WeakReference<Permits> abandoned = new WeakReference<>(permitManager.decide(request(held)));
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return abandoned.get() == null;
            });
    scheduler.advance(TTL.minus(TICK));
    assertThat(free()).isEqualTo(1);
    scheduler.advance(TICK);
    assertThat(free()).isEqualTo(3);
  }

  @Test
  void it_is_renewed_at_each_third_of_the_shortest_lease() {
    Charge longer = charge("longer", "3 concurrent, ttl 1h", Subject.of("a"), 1);
    Permits hold = permitManager.decide(request(longer, held));
    scheduler.advance(TTL.dividedBy(3));
    time.advance(TTL.minus(TICK));
    assertThat(hold.isHeld()).isTrue();
    assertThat(free()).isEqualTo(1);
    time.advance(TICK);
    assertThat(hold.isHeld()).isFalse();
    assertThat(free()).isEqualTo(3);
  }

  @Test
  void who_is_denied_holds_nothing() {
    Permits hold = permitManager.decide(request(held));
    try (Permits denied = permitManager.decide(request(held))) {
      assertThat(denied.isHeld()).isFalse();
      assertThat(denied.decision().retryAfter()).hasValue(Duration.ofSeconds(1));
    }
    assertThat(hold.isHeld()).isTrue();
    assertThat(free()).isEqualTo(1);
    assertThat(scheduler.waiting()).isEqualTo(1);
  }

  @Test
  void what_was_consumed_besides_stays_spent() {
    Charge spent = charge("spent", "10 per 30 days", Subject.of("a"), 4);
    try (Permits hold = permitManager.decide(request(held, spent))) {
      assertThat(hold.isHeld()).isTrue();
    }
    assertThat(remaining(peek(store, rest, spent))).containsExactly(3L, 6L);
    try (Permits nothing = permitManager.decide(request(spent))) {
      assertThat(nothing.isHeld()).isTrue();
      assertThat(scheduler.waiting()).isZero();
    }
  }

  @Test
  void a_process_that_stood_still_learns_that_others_may_hold_its_permits() {
    Permits hold = permitManager.decide(request(held));
    time.advance(TTL);
    assertThat(hold.isHeld()).isFalse();
    Permits other = permitManager.decide(request(held));
    assertThat(other.isHeld()).isTrue();
    assertThat(lost).isEmpty();
    scheduler.advance(TICK);
    assertThat(lost).containsExactly(receipt(hold));
    hold.close();
    assertThat(free()).isEqualTo(1);
    scheduler.advance(TTL.multipliedBy(10));
    assertThat(lost).hasSize(1);
    assertThat(other.isHeld()).isTrue();
  }

  @Test
  void a_holder_learns_of_a_reset_by_the_next_renewal() {
    Permits hold = permitManager.decide(request(held));
    AcquireRequests.adjust(store, new Adjustment.Reset(held.counter()));
    assertThat(hold.isHeld()).isTrue();
    scheduler.advance(TTL.dividedBy(3));
    assertThat(hold.isHeld()).isFalse();
    assertThat(lost).containsExactly(receipt(hold));
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void an_outage_shorter_than_what_is_left_of_the_lease_loses_nothing() {
    Permits hold = permitManager.decide(request(held));
    scheduler.advance(TTL.dividedBy(3).minus(TICK));
    primary.switchOff();
    scheduler.advance(TTL.dividedBy(2));
    primary.switchOn();
    scheduler.advance(TTL.dividedBy(12));
    assertThat(hold.isHeld()).isTrue();
    time.advance(TTL.minus(TTL.dividedBy(12)));
    assertThat(free()).isEqualTo(1);
    assertThat(lost).isEmpty();
  }

  @Test
  void an_outage_as_long_as_the_lease_loses_what_is_held_and_says_so_once() {
    Permits hold = permitManager.decide(request(held));
    primary.switchOff();
    scheduler.advance(TTL.minus(TICK));
    assertThat(hold.isHeld()).isTrue();
    scheduler.advance(TTL.multipliedBy(5));
    assertThat(hold.isHeld()).isFalse();
    assertThat(lost).containsExactly(receipt(hold));
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void what_cannot_be_released_is_released_as_soon_as_it_can_be() {
    Permits hold = permitManager.decide(request(held));
    primary.switchOff();
    hold.close();
    hold.close();
    scheduler.advance(TTL.dividedBy(2));
    primary.switchOn();
    assertThat(free()).isEqualTo(1);
    scheduler.advance(TTL.dividedBy(12));
    assertThat(free()).isEqualTo(3);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void a_release_is_tried_no_longer_than_the_lease_lasts() {
    Permits hold = permitManager.decide(request(held));
    primary.switchOff();
    hold.close();
    scheduler.advance(TTL.plus(TTL.dividedBy(12)));
    assertThat(scheduler.waiting()).isZero();
    assertThat(lost).isEmpty();
  }

  /** The store keeps each permit for the time to live of its own limit. */
  @ParameterizedTest
  @ValueSource(ints = {0, 12})
  void a_release_of_several_limits_is_tried_as_long_as_the_longest_lasts(int seconds) {
    Charge longer = charge("longer", "1 concurrent, ttl 10m", Subject.of("a"), 1);
    Permits hold = permitManager.decide(request(held, longer));
    scheduler.advance(Duration.ofSeconds(seconds));
    primary.switchOff();
    hold.close();
    scheduler.advance(Duration.ofMinutes(10).minus(TTL.dividedBy(6)));
    primary.switchOn();
    assertThat(peek(store, longer).binding().remaining()).isZero();
    scheduler.advance(TTL.dividedBy(12));
    assertThat(peek(store, longer).binding().remaining()).isEqualTo(1);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void what_was_granted_in_process_is_renewed_and_released_there() {
    primary.switchOff();
    Permits local = permitManager.decide(request(held));
    assertThat(local.decision().source()).isEqualTo(Source.LOCAL);
    primary.switchOn();
    scheduler.advance(TTL.multipliedBy(3));
    assertThat(free()).as("in the primary").isEqualTo(3);
    assertThat(local.isHeld()).isTrue();
    primary.switchOff();
    assertThat(free()).as("in process").isEqualTo(1);
    local.close();
    assertThat(free()).as("in process").isEqualTo(3);
  }

  @Test
  void an_outage_is_answered_by_the_policy() {
    primary.switchOff();
    Permits open = permitManager.decide(request(OnOutage.ALLOW, held));
    assertThat(open.decision()).isEqualTo(Decision.failOpen());
    assertThat(open.isHeld()).isTrue();
    open.close();
    assertThat(open.isHeld()).isFalse();
    assertThat(permitManager.decide(request(OnOutage.DENY, held)).isHeld()).isFalse();
    store.close();
    Permits closed = permitManager.decide(request(held));
    assertThat(closed.decision().source()).isEqualTo(Source.FAIL_CLOSED);
    assertThat(closed.isHeld()).isFalse();
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void a_hold_that_is_closed_while_it_is_renewed_is_not_lost() {
    List<Permits> closing = new ArrayList<>();
    LimitStore closesFirst = new ClosesFirst(store, closing);
    PermitManager racing = new PermitManager(closesFirst, DEADLINE, listener, scheduler, time);
    closing.add(racing.decide(request(held)));
    scheduler.advance(TTL);
    assertThat(lost).isEmpty();
    assertThat(free()).isEqualTo(3);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void permits_whose_renewal_is_answered_after_their_end_stay_lost_until_they_are_released() {
    LimitStore late = new AnswersLate(store, time);
    PermitManager waiting = new PermitManager(late, DEADLINE, listener, scheduler, time);
    Permits hold = waiting.decide(request(held));
    scheduler.advance(TTL.dividedBy(3));
    assertThat(hold.isHeld()).isFalse();
    assertThat(lost).containsExactly(receipt(hold));
    assertThat(free()).as("it was renewed").isEqualTo(1);
    hold.close();
    assertThat(free()).isEqualTo(3);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void a_store_that_breaks_is_told_of_and_tried_again() {
    List<String> errors = new ArrayList<>();
    LimiterListener hears =
        new LimiterListener() {
          @Override
          public void onError(String what, Throwable error) {
            errors.add(what + ": " + error.getMessage());
          }
        };
    BreaksOnce breaking = new BreaksOnce(store);
    Permits hold =
        new PermitManager(breaking, DEADLINE, hears, scheduler, time).decide(request(held));
    scheduler.advance(TTL.multipliedBy(4));
    assertThat(errors).containsExactly("a permit could not be renewed: a bug");
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void once_closed_nothing_is_renewed_but_what_is_held_is_released() {
    Permits hold = permitManager.decide(request(held));
    permitManager.close();
    scheduler.advance(TTL.dividedBy(2));
    assertThat(hold.isHeld()).isTrue();
    hold.close();
    assertThat(free()).isEqualTo(3);
  }

  @Test
  void a_deadline_is_more_than_nothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PermitManager.of(store, Duration.ZERO, listener))
        .withMessage("deadline: PT0S (expected: > 0)");
  }

  private static Receipt receipt(Permits hold) {
    return ((Decision.Counted) hold.decision()).receipt();
  }

  /** Another thread closes the holds just before a renewal reaches the store. */
  private static final class ClosesFirst extends DelegatingStore {

    private final List<Permits> closing;

    ClosesFirst(LimitStore store, List<Permits> closing) {
      super(store);
      this.closing = closing;
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      if (adjustment instanceof Adjustment.Renew) {
        closing.forEach(Permits::close);
      }
      return store.adjust(adjustment, deadline);
    }
  }

  /** Renews in time, and answers when the permits have ended for their holder. */
  private static final class AnswersLate extends DelegatingStore {

    private final ManualTime time;

    AnswersLate(LimitStore store, ManualTime time) {
      super(store);
      this.time = time;
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      Set<Receipt.Grant> ended = store.adjust(adjustment, deadline);
      if (adjustment instanceof Adjustment.Renew) {
        time.advance(TTL.minus(TTL.dividedBy(3)));
      }
      return ended;
    }
  }

  /** Fails the first renewal by a bug. */
  private static final class BreaksOnce extends DelegatingStore {
    private boolean broken;

    BreaksOnce(LimitStore store) {
      super(store);
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      if (!broken) {
        broken = true;
        throw new IllegalStateException("a bug");
      }
      return store.adjust(adjustment, deadline);
    }
  }
}
