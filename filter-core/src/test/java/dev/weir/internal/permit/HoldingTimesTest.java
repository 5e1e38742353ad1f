package dev.weir.internal.permit;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.request;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A denial by a concurrency limit estimates when permits return. It does not report their ttl. */
class HoldingTimesTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Subject ALICE = Subject.of("user", "alice");

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final Requested store =
      new Requested(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final PermitManager permitManager =
      new PermitManager(store, DEADLINE, LimiterListener.NONE, scheduler, time);
  private final Charge one = exports(ALICE, 1);

  /** A hold without a reference is abandoned. */
  private final List<Permits> kept = new ArrayList<>();

  /** Counts decisions. */
  private static final class Requested extends DelegatingStore {

    private int decisions;

    private Requested(LimitStore store) {
      super(store);
    }

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      decisions++;
      return store.decide(request);
    }
  }

  private static Charge exports(Subject subject, long permits) {
    return charge("exports", "4 concurrent", subject, permits);
  }

  private Permits acquire(Charge... charges) {
    Permits hold = permitManager.decide(request(charges));
    assertThat(hold.isHeld()).isTrue();
    kept.add(hold);
    return hold;
  }

  private void work(Charge charge, Duration duration) {
    Permits hold = acquire(charge);
    scheduler.advance(duration);
    hold.close();
  }

  private Duration denied(Charge... charges) {
    Decision denial = permitManager.decide(request(charges)).decision();
    assertThat(denial.allowed()).isFalse();
    return retryAfter(denial);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void a_permit_is_expected_after_the_recent_holding_time_divided_by_those_that_are_held() {
    for (int i = 0; i < 20; i++) {
      work(one, millis(600));
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(millis(150));
    assertThat(denied(exports(ALICE, 3))).isEqualTo(millis(450));
  }

  @Test
  void permits_that_are_left_need_not_return() {
    work(one, millis(600));
    acquire(exports(ALICE, 3));
    assertThat(denied(exports(ALICE, 2))).isEqualTo(millis(200));
  }

  @Test
  void many_at_once_are_measured_as_one_alone_is() {
    for (int round = 0; round < 20; round++) {
      List<Permits> together = List.of(acquire(one), acquire(one), acquire(one), acquire(one));
      scheduler.advance(millis(600));
      together.forEach(Permits::close);
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isBetween(millis(100), millis(200));
  }

  @Test
  void recent_times_count_and_old_ones_are_forgotten() {
    for (int i = 0; i < 100; i++) {
      work(one, Duration.ofSeconds(20));
    }
    for (int i = 0; i < 100; i++) {
      work(one, millis(400));
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isBetween(millis(100), millis(101));
  }

  @Test
  void where_none_has_returned_it_is_a_second() {
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(SECOND);
  }

  @Test
  void permits_that_hang_are_expected_to_hang_on_but_no_longer_than_their_leases_last() {
    work(one, millis(600));
    Permits hanging = acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(millis(150));
    scheduler.advance(Duration.ofSeconds(7));
    assertThat(denied(one)).isEqualTo(Duration.ofSeconds(7));
    scheduler.advance(Duration.ofMinutes(7));
    assertThat(denied(one)).isBetween(TTL.dividedBy(2), TTL);
    assertThat(hanging.isHeld()).isTrue();
  }

  @Test
  void one_that_hangs_beside_others_that_return_hardly_counts() {
    acquire(exports(ALICE, 1));
    for (int i = 0; i < 1_000; i++) {
      List<Permits> others = List.of(acquire(one), acquire(one), acquire(one));
      scheduler.advance(millis(600));
      others.forEach(Permits::close);
    }
    acquire(exports(ALICE, 3));
    assertThat(denied(one)).isBetween(millis(150), millis(250));
  }

  @Test
  void it_is_never_less_than_a_millisecond_nor_more_than_the_store_tells() {
    for (int i = 0; i < 20; i++) {
      work(one, Duration.ofNanos(1_000));
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(millis(1));
    Charge brief = charge("brief", "1 concurrent, ttl 1s", ALICE, 1);
    acquire(brief);
    time.advance(millis(990));
    assertThat(denied(brief)).isEqualTo(millis(10));
  }

  @Test
  void lost_and_abandoned_permits_are_neither_held_nor_returned() {
    work(one, millis(600));
    acquire(exports(ALICE, 4));
    time.advance(TTL.multipliedBy(2));
    scheduler.advance(Duration.ZERO);
    WeakReference<Permits> abandoned =
        new WeakReference<>(permitManager.decide(request(exports(Subject.of("user", "bob"), 4))));
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return abandoned.get() == null;
            });
    scheduler.advance(TTL);
    for (int i = 0; i < 100; i++) {
      work(one, millis(600));
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isBetween(millis(150), millis(151));
  }

  @Test
  void a_permit_that_is_closed_after_its_lease_has_ended_was_lost() {
    work(one, millis(600));
    Permits stood = acquire(one);
    time.advance(TTL.multipliedBy(20));
    stood.close();
    work(one, millis(600));
    for (int i = 0; i < 100; i++) {
      work(one, millis(600));
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isBetween(millis(150), millis(151));
  }

  @Test
  void the_wait_for_a_block_is_no_estimate_however_short_the_block_is() {
    work(one, millis(600));
    for (Duration length : List.of(millis(200), TTL, Duration.ofMinutes(15))) {
      AcquireRequests.adjust(store, new Adjustment.Block(one.counter(), length));
      assertThat(denied(one)).isEqualTo(length);
    }
  }

  @Test
  void a_block_is_no_time_without_a_return() {
    work(one, millis(600));
    AcquireRequests.adjust(store, new Adjustment.Block(one.counter(), Duration.ofSeconds(5)));
    assertThat(denied(one)).isEqualTo(Duration.ofSeconds(5));
    time.advance(Duration.ofSeconds(5));
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(millis(150));
  }

  @Test
  void slow_permits_of_many_others_do_not_lengthen_the_wait_of_one() {
    for (int other = 0; other < 50; other++) {
      acquire(charge("calls", "2 concurrent", Subject.of("ip", "other " + other), 2));
    }
    Charge call = charge("calls", "2 concurrent", ALICE, 1);
    for (int i = 0; i < 20; i++) {
      List<Permits> both = List.of(acquire(call), acquire(call));
      scheduler.advance(millis(50));
      both.forEach(Permits::close);
    }
    acquire(call, charge("calls", "2 concurrent", Subject.of("ip", "one more"), 1));
    acquire(call);
    assertThat(denied(call)).isBetween(millis(25), millis(30));
    scheduler.advance(millis(50));
    assertThat(denied(call)).as("nothing has returned").isBetween(millis(25), millis(50));
  }

  @Test
  void of_several_limits_the_one_that_keeps_waiting_longest_binds() {
    Charge calls = charge("calls", "1 per 10s", ALICE, 1);
    acquire(calls, exports(ALICE, 4));
    Decision.Counted denial =
        (Decision.Counted) permitManager.decide(request(one, calls)).decision();
    assertThat(denial.limitName()).hasValue("calls");
    assertThat(retryAfter(denial)).isEqualTo(Duration.ofSeconds(10));
    assertThat(retryAfter(denied(denial, "exports"))).isEqualTo(SECOND);
  }

  private static Decision denied(Decision.Counted denial, String limit) {
    return Decision.counted(
        denial.source(),
        denial.verdicts().stream()
            .filter(verdict -> verdict.counter().name().equals(limit))
            .toList(),
        denial.receipt());
  }

  @Test
  void a_peek_estimates_as_acquiring_does() {
    work(one, millis(600));
    acquire(exports(ALICE, 4));
    assertThat(retryAfter(permitManager.decide(request(Mode.PEEK, one)).decision()))
        .isEqualTo(millis(150));
  }

  @Test
  void all_subjects_of_a_limit_have_one_estimate_and_another_limit_has_its_own() {
    work(exports(Subject.of("user", "bob"), 1), millis(600));
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(millis(150));
    Charge other = charge("imports", "1 concurrent", ALICE, 1);
    acquire(other);
    assertThat(denied(other)).isEqualTo(SECOND);
  }

  @Test
  void the_limits_that_were_used_last_are_remembered() {
    work(one, millis(600));
    for (int i = 0; i < 2_000; i++) {
      work(charge("made-up-" + i, "1 concurrent", ALICE, 1), millis(1));
    }
    acquire(exports(ALICE, 4));
    assertThat(denied(one)).isEqualTo(SECOND);
  }

  @Test
  void a_waiting_request_asks_ten_times_a_second_however_soon_a_permit_is_expected() {
    WaitQueues waitQueues =
        new WaitQueues(permitManager, new CounterQueues(scheduler, Runnable::run, Runnable::run));
    Charge many = charge("many", "1000 concurrent", ALICE, 1);
    for (int i = 0; i < 20; i++) {
      work(many, millis(1));
    }
    acquire(charge("many", "1000 concurrent", ALICE, 1_000));
    int before = store.decisions;
    CompletableFuture<Permits> waiting =
        waitQueues.decide(request(many), Set.of(many.counter()), Duration.ofSeconds(10));
    scheduler.advance(SECOND);
    assertThat(waiting).isNotDone();
    assertThat(store.decisions - before).isBetween(10, 12);
  }

  @Test
  void a_client_that_comes_again_while_everything_hangs_is_told_twice_as_long() {
    List<Duration> reported = new ArrayList<>();
    acquire(exports(ALICE, 4));
    for (int i = 0; i < 3; i++) {
      reported.add(denied(one));
      scheduler.advance(reported.get(i));
    }
    assertThat(reported)
        .isSorted()
        .startsWith(SECOND, Duration.ofSeconds(2), Duration.ofSeconds(4));
  }
}
