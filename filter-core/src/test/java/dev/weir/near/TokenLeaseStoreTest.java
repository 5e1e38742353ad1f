package dev.weir.near;

import static dev.weir.fixture.AcquireRequests.adjust;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.PeriodLimiter;
import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.internal.store.Scheduler;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a node does with its leases, by a time of its own, over a real Redis. A lease of a window
 * may be settled as long as the window lasts, so that what is left of it is exact, however slow the
 * machine.
 */
class TokenLeaseStoreTest {

  private static final String WINDOW = "100_000 per day window UTC";
  private static final String BUCKET = "1 per day, burst 100_000";
  private static final long ALL = 100_000;
  private static final Duration WHOLE = Duration.ofMillis(20);

  private final ManualTime time = new ManualTime();
  private final Subject subject = Subject.of(UUID.randomUUID().toString());
  private final Wire wire = new Wire(redis());
  private final Rounds rounds = new Rounds();
  private final TokenLeaseStore leases = new TokenLeaseStore(wire, counter -> true, time, rounds);

  /** Keeps the next round of maintenance until the test runs it. */
  private static final class Rounds implements Scheduler {

    /** What is done when a lease has come, before any other call can change it. */
    private Runnable whenHeld = () -> {};

    private Optional<Runnable> next = Optional.empty();

    @Override
    public Pending in(Duration delay, Runnable task) {
      next = Optional.of(task);
      Runnable once = whenHeld;
      whenHeld = () -> {};
      once.run();
      return Pending.NONE;
    }

    /** Runs the next round, and returns whether one more is needed. */
    private boolean run() {
      Optional<Runnable> round = next;
      next = Optional.empty();
      round.ifPresent(Runnable::run);
      return next.isPresent();
    }

    @Override
    public void close() {
      next = Optional.empty();
    }
  }

  private static RedisLimitStore redis() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(RedisVersion.newest()).uri(), "near-leases")
            .withDeadline(Duration.ofSeconds(10));
    RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
    Awaitility.await().until(() -> answers(store));
    return store;
  }

  private static boolean answers(RedisLimitStore store) {
    try {
      store.decide(request(Mode.PEEK, AcquireRequests.charge("any", BUCKET, Subject.of("any"), 1)));
      return true;
    } catch (StoreUnavailableException notYet) {
      return false;
    }
  }

  @AfterEach
  void close() {
    wire.loss = Wire.Loss.NONE;
    leases.close();
  }

  private Charge one(String limit) {
    return AcquireRequests.charge("hot", limit, subject, 1);
  }

  /** So many at once that a lease is worth it, from the next request on. */
  private void heat(Charge charge) {
    for (int i = 0; i < 100; i++) {
      assertThat(decide(leases, charge).source()).isEqualTo(Source.REDIS);
    }
    time.advance(Duration.ofMillis(1));
  }

  /** One whose earlier lease is over, and that is worth another from the next request on. */
  private Charge heatedAnew() {
    Charge one = one(WINDOW);
    time.advance(Duration.ofMillis(50));
    for (int i = 0; i < 100; i++) {
      decide(leases, one);
    }
    time.advance(Duration.ofMillis(1));
    return one;
  }

  private long left(Charge charge) {
    return peek(wire, charge).binding().remaining();
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, BUCKET})
  void a_hot_counter_is_decided_in_process(String limit) {
    Charge one = one(limit);
    heat(one);
    for (int i = 0; i < 100; i++) {
      assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    }
    assertThat(wire.lent).hasSize(1);
    assertThat(left(one)).isLessThan(ALL - 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, BUCKET})
  void a_lease_is_over_after_its_length(String limit) {
    Charge one = one(limit);
    heat(one);
    assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    wire.loss = Wire.Loss.QUESTION;
    time.advance(WHOLE);
    assertThat(decide(leases, one).source()).isEqualTo(Source.REDIS);
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, BUCKET})
  void its_length_is_measured_from_before_it_was_asked_for(String limit) {
    Charge one = one(limit);
    heat(one);
    wire.meanwhile = () -> time.advance(WHOLE);
    assertThat(decide(leases, one).source()).isEqualTo(Source.REDIS);
    assertThat(wire.lent).hasSize(1);
  }

  /**
   * What it was lent is lost: where Redis is far away, a node that went on would empty a bucket.
   */
  @Test
  void who_finds_that_leases_are_over_when_they_come_hardly_fetches_any_more() {
    Charge one = one(BUCKET);
    heat(one);
    for (int i = 0; i < 2_000; i++) {
      wire.meanwhile = () -> time.advance(WHOLE);
      assertThat(decide(leases, one).source()).isEqualTo(Source.REDIS);
      time.advance(Duration.ofMillis(1));
    }
    assertThat(wire.lent).hasSizeBetween(2, 10);
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.Loss.class,
      names = {"QUESTION", "ANSWER"})
  void one_whose_outcome_is_not_known_is_over(Wire.Loss loss) {
    Charge one = one(WINDOW);
    heat(one);
    assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    wire.loss = loss;
    time.advance(Duration.ofMillis(1));
    wire.meanwhile = () -> {};
    long most = wire.lent.get(0).permits();
    int spent = 1;
    while (decide(leases, one).source() == Source.LEASE) {
      spent++;
      assertThat((long) spent).isLessThanOrEqualTo(most);
    }
    wire.loss = Wire.Loss.NONE;
    time.advance(Duration.ofMillis(50));
    heat(one);
    decide(leases, one);
    assertThat(wire.settled).last().isEqualTo(Lending.Settlement.NONE);
    assertThat(wire.adjusted).isEmpty();
  }

  @Test
  void what_is_left_of_a_window_is_given_back_and_told_once() {
    Charge one = one(WINDOW);
    heat(one);
    decide(leases, one);
    decide(leases, one);
    time.advance(WHOLE);
    assertThat(rounds.run()).isFalse();
    assertThat(left(one)).isEqualTo(ALL - 102);
    assertThat(rounds.run()).isFalse();
    assertThat(wire.adjusted).hasSize(1);
  }

  /** By then there may be another window of the same name, where a clock has moved back. */
  @Test
  void a_window_is_told_nothing_after_half_of_it() {
    Charge one = one(WINDOW);
    heat(one);
    decide(leases, one);
    time.advance(one.counter().limit().timeToFull().dividedBy(2));
    assertThat(rounds.run()).isFalse();
    assertThat(wire.adjusted).isEmpty();
  }

  @Test
  void a_bucket_is_told_before_the_lease_is_over_and_never_after_it() {
    Charge one = one(BUCKET);
    heat(one);
    decide(leases, one);
    Duration length = wire.lent.get(0).length();
    assertThat(rounds.run()).isTrue();
    time.advance(length.minusMillis(1));
    assertThat(rounds.run()).isFalse();
    assertThat(wire.adjusted).hasSize(1).first().isInstanceOf(Lending.Ending.class);
    time.advance(Duration.ofMillis(50));
    heat(one);
    decide(leases, one);
    time.advance(WHOLE);
    assertThat(rounds.run()).isFalse();
    assertThat(wire.adjusted).hasSize(1);
  }

  @Test
  void a_renewal_tells_what_was_spent_and_carries_on_what_is_left() {
    Charge one = one(WINDOW);
    heat(one);
    decide(leases, one);
    long first = wire.lent.get(0).permits();
    for (int i = 0; i < 3_000 && wire.lent.size() < 2; i++) {
      time.advance(Duration.ofNanos(10_000));
      assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    }
    Lending.Settlement reported = wire.settled.get(1);
    assertThat(reported.out()).isEqualTo(first);
    assertThat(reported.kept()).isPositive();
    leases.close();
    assertThat(wire.adjusted).hasSize(1);
  }

  @Test
  void closing_gives_back() {
    Charge one = one(WINDOW);
    heat(one);
    decide(leases, one);
    long before = left(one);
    Wire witness = new Wire(redis());
    leases.close();
    assertThat(peek(witness, one).binding().remaining()).isGreaterThan(before).isEqualTo(ALL - 101);
    witness.close();
  }

  @Test
  void several_counters_are_spent_together_or_none_is() {
    Charge wide = one(WINDOW);
    Charge tight = AcquireRequests.charge("tight", "4000 per day window UTC", subject, 1);
    for (int i = 0; i < 100; i++) {
      decide(leases, wide, tight);
    }
    time.advance(Duration.ofMillis(1));
    Decision.Counted both = decide(leases, wide, tight);
    assertThat(both.source()).isEqualTo(Source.LEASE);
    assertThat(both.receipt().grants()).hasSize(2);
    Charge more = AcquireRequests.charge("tight", "4000 per day window UTC", subject, 2_000);
    assertThat(decide(leases, wide, more).source()).isEqualTo(Source.REDIS);
    time.advance(WHOLE);
    rounds.run();
    assertThat(left(wide)).isEqualTo(ALL - 102);
    assertThat(left(tight)).isEqualTo(4_000 - 101 - 2_000);
  }

  @Test
  void other_numbers_are_another_lease_and_the_first_is_given_back() {
    Charge one = one(WINDOW);
    heat(one);
    decide(leases, one);
    Charge other = one("90_000 per day window UTC");
    assertThat(decide(leases, other).source()).isEqualTo(Source.REDIS);
    time.advance(WHOLE);
    rounds.run();
    assertThat(left(one)).isEqualTo(ALL - 102);
  }

  @Test
  void a_change_to_the_counter_ends_its_lease() {
    for (Adjustment change : changes()) {
      Charge one = heatedAnew();
      decide(leases, one);
      wire.adjusted.clear();
      adjust(leases, change);
      boolean isReportedBack =
          !(change instanceof Adjustment.Reset); // else the next window would be
      assertThat(wire.adjusted).hasSize(isReportedBack ? 2 : 1).first().isEqualTo(change);
      assertThat(wire.adjusted.stream().anyMatch(Lending.Ending.class::isInstance))
          .isEqualTo(isReportedBack);
      assertThat(wire.settled).last().isEqualTo(Lending.Settlement.NONE);
    }
  }

  @Test
  void so_does_one_that_comes_while_the_lease_is_on_its_way() {
    for (Adjustment change : changes()) {
      Charge one = heatedAnew();
      wire.meanwhile = () -> adjust(leases, change);
      assertThat(decide(leases, one).source()).as("%s", change).isEqualTo(Source.REDIS);
    }
  }

  @Test
  void what_is_kept_until_the_next_lease_comes_is_not_spent_after_a_change() {
    for (Adjustment change : changes()) {
      Charge one = heatedAnew();
      decide(leases, one);
      int lent = wire.lent.size();
      List<Source> meanwhile = new ArrayList<>();
      wire.meanwhile =
          () -> {
            meanwhile.add(decide(leases, one).source());
            adjust(leases, change);
            meanwhile.add(decide(leases, one).source());
          };
      for (int i = 0; i < 3_000 && wire.lent.size() == lent; i++) {
        time.advance(Duration.ofNanos(10_000));
        decide(leases, one);
      }
      assertThat(meanwhile).as("%s", change).containsExactly(Source.LEASE, Source.REDIS);
    }
  }

  /**
   * The lease would be returned to the window that follows, but others have its permits by then.
   */
  @Test
  void what_has_just_come_is_not_given_back_to_a_window_that_was_reset_meanwhile() {
    Charge one = one(WINDOW);
    heat(one);
    Adjustment reset = new Adjustment.Reset(one.counter());
    rounds.whenHeld = () -> adjust(leases, reset);
    assertThat(decide(leases, one).source()).isEqualTo(Source.REDIS);
    assertThat(wire.adjusted).containsExactly(reset);
    assertThat(left(one)).isEqualTo(ALL - 1);
  }

  private List<Adjustment> changes() {
    Counter counter = one(WINDOW).counter();
    return List.of(
        new Adjustment.Reset(counter),
        new Adjustment.Reward(counter, 5),
        new Adjustment.Unblock(counter),
        new Adjustment.Block(counter, Duration.ofMinutes(1)));
  }

  @Test
  void what_was_granted_out_of_a_lease_is_given_back_to_the_store_that_lent() {
    Charge one = one(WINDOW);
    heat(one);
    Decision.Counted granted = decide(leases, one);
    assertThat(granted.source()).isEqualTo(Source.LEASE);
    long before = left(one);
    refund(leases, granted);
    assertThat(left(one)).isEqualTo(before + 1);
    Decision.Counted settled = decide(leases, one);
    adjust(leases, new Adjustment.Reconcile(settled.receipt(), 4));
    assertThat(left(one)).isEqualTo(before + 1 - 3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100_000 per day sliding",
        "100_000 per second leaky, capacity 100_000",
        "1_000 concurrent"
      })
  void others_are_not_leased(String limit) {
    Charge one = one(limit);
    heat(one);
    assertThat(decide(leases, one).source()).isEqualTo(Source.REDIS);
    assertThat(wire.settled).isEmpty();
  }

  @Test
  void requests_in_other_modes_reach_the_store() {
    Charge one = one(BUCKET);
    heat(one);
    decide(leases, one);
    for (Mode mode :
        List.of(
            Mode.BYPASS_LEASES, Mode.UP_TO, Mode.PEEK, new Mode.Within(Duration.ofSeconds(1)))) {
      assertThat(decide(leases, request(mode, one)).source()).isEqualTo(Source.REDIS);
    }
    PeriodLimiter period = PeriodLimiter.of("hot", WINDOW, leases);
    heat(one(WINDOW));
    decide(leases, one(WINDOW));
    assertThat(period.tryAcquire(subject).source()).isEqualTo(Source.REDIS);
  }

  /** It would be another answer than the store's for {@link Mode#BYPASS_LEASES}. */
  @Test
  void a_peek_counts_what_is_leased_as_taken_as_long_as_the_lease_lasts() {
    Charge one = one("1000 per day window UTC");
    heat(one);
    assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    AcquireRequests.upTo(
        wire, AcquireRequests.charge("hot", "1000 per day window UTC", subject, 1000));
    assertThat(peek(leases, one).allowed()).isFalse();
    assertThat(decide(leases, request(Mode.BYPASS_LEASES, one)).allowed()).isFalse();
    assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    time.advance(WHOLE);
    rounds.run();
    assertThat(peek(leases, one).allowed()).isTrue();
    assertThat(decide(leases, one).allowed()).isTrue();
  }

  @Test
  void a_request_larger_than_the_lease_is_asked_of_the_store() {
    heat(one(BUCKET));
    decide(leases, one(BUCKET));
    Charge large = AcquireRequests.charge("hot", BUCKET, subject, ALL / 2);
    assertThat(decide(leases, large).source()).isEqualTo(Source.REDIS);
    assertThat(decide(leases, one(BUCKET)).source()).isEqualTo(Source.LEASE);
  }

  @Test
  void a_lease_that_is_fetched_wakes_whoever_looks_after_them_be_it_that_he_fell_before() {
    Charge one = one(WINDOW);
    heat(one);
    decide(leases, one);
    time.advance(WHOLE);
    wire.isBroken = true;
    assertThatThrownBy(rounds::run).hasMessage("a bug");
    assertThat(rounds.next).isEmpty();
    wire.isBroken = false;
    heat(one);
    decide(leases, one);
    assertThat(wire.lent).hasSize(2);
    assertThat(rounds.next).isPresent();
  }

  @Test
  void who_is_not_to_lease_does_not() {
    TokenLeaseStore none = new TokenLeaseStore(wire, counter -> false, time, new Rounds());
    Charge one = one(BUCKET);
    for (int i = 0; i < 100; i++) {
      decide(none, one);
    }
    time.advance(Duration.ofMillis(1));
    assertThat(decide(none, one).source()).isEqualTo(Source.REDIS);
  }

  @Test
  void a_limit_says_whether_it_can_be_leased() {
    assertThat(Limit.parse(BUCKET).algorithm().isLeasable()).isTrue();
    assertThat(Limit.parse("4 concurrent").algorithm().isLeasable()).isFalse();
    assertThatThrownBy(
            () -> new Lending.Ending(one(BUCKET).counter(), new Lending.Settlement(1, 2, 1, 0)))
        .hasMessageContaining("kept: 1");
  }
}
