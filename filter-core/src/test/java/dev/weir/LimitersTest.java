package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.PeriodLimiter.QuotaStatus;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The public limiters, each created from a name, a store and the numbers. */
class LimitersTest {

  private final ManualTime time = new ManualTime();
  private final SwitchableStore store =
      new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final Subject alice = Subject.of("user", "alice");

  @Test
  void a_token_limiter_grants_bursts_and_refills() {
    TokenLimiter calls = TokenLimiter.of("calls", "2 per second, burst 3", store);

    assertThat(calls.tryAcquire(alice, 3).allowed()).isTrue();
    Decision denied = calls.tryAcquire(alice);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter()).hasValue(Duration.ofMillis(500));
    time.advance(Duration.ofMillis(500));
    assertThat(calls.withDeadline(Duration.ofSeconds(1)).tryAcquire(alice, 1).allowed()).isTrue();
  }

  @Test
  void a_period_limiter_tells_the_last_permit_from_those_before_and_after() {
    PeriodLimiter exports = PeriodLimiter.of("exports", "3 per day window UTC", store);

    assertThat(QuotaStatus.of(exports.tryAcquire(alice))).isEqualTo(QuotaStatus.ALLOWED);
    assertThat(QuotaStatus.of(exports.tryAcquire(alice, 3))).isEqualTo(QuotaStatus.OVER_QUOTA);
    assertThat(QuotaStatus.of(exports.tryAcquire(alice, 2))).isEqualTo(QuotaStatus.HIT_QUOTA);
    assertThat(QuotaStatus.of(exports.tryAcquire(alice))).isEqualTo(QuotaStatus.OVER_QUOTA);
    time.advance(Duration.ofHours(14));
    assertThat(QuotaStatus.of(exports.withDeadline(Duration.ofSeconds(1)).tryAcquire(alice, 3)))
        .isEqualTo(QuotaStatus.HIT_QUOTA);
  }

  @Test
  void a_decision_tells_all_that_there_is_to_know() {
    Decision decision = TokenLimiter.of("calls", "2 per second", store).tryAcquire(alice);

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Counted.class,
            counted -> {
              assertThat(counted.source()).isEqualTo(Source.REDIS);
              assertThat(counted.limitName()).hasValue("calls");
              assertThat(counted.limit()).hasValue(Limit.parse("2 per second"));
              assertThat(counted.binding().remaining()).isEqualTo(1);
              assertThat(counted.resetAfter()).hasValue(Duration.ofMillis(500));
              assertThat(counted.isNeverSatisfiable()).isFalse();
            });
  }

  @Test
  void a_limiter_takes_what_there_is_and_tells_how_much() {
    PeriodLimiter mails = PeriodLimiter.of("mails", "10 per day window UTC", store);
    mails.tryAcquire(alice, 7);
    assertThat(mails.tryAcquireUpTo(alice, 100))
        .isInstanceOfSatisfying(
            Decision.Counted.class, some -> assertThat(some.granted()).hasValue(3));
    assertThat(mails.tryAcquireUpTo(alice, 100).allowed()).isFalse();
  }

  @Test
  void a_limiter_looks_without_taking() {
    TokenLimiter calls = TokenLimiter.of("calls", "2 per day", store);
    assertThat(calls.peek(alice, 2).allowed()).isTrue();
    assertThat(calls.peek(alice, 3).allowed()).isFalse();
    assertThat(calls.tryAcquire(alice, 2).allowed()).isTrue();
    assertThat(calls.peek(alice).retryAfter()).hasValue(Duration.ofHours(12));
  }

  @Test
  void a_limiter_resets_rewards_and_blocks() throws Exception {
    TokenLimiter logins = TokenLimiter.of("logins", "5 per day", store);
    logins.tryAcquire(alice, 5);
    logins.reward(alice, 2);
    assertThat(logins.tryAcquire(alice, 2).allowed()).isTrue();
    logins.block(alice, Duration.ofDays(2));
    assertThat(logins.tryAcquire(alice).retryAfter()).hasValue(Duration.ofDays(2));
    logins.reset(alice);
    assertThat(logins.tryAcquire(alice, 5).allowed()).isTrue();
  }

  @Test
  void a_limiter_lifts_a_block_and_leaves_what_was_consumed() throws Exception {
    TokenLimiter logins = TokenLimiter.of("logins", "5 per day", store);
    logins.tryAcquire(alice, 3);
    logins.block(alice, Duration.ofDays(2));
    logins.unblock(alice);
    assertThat(logins.peek(alice).remaining()).hasValue(2);
    LeakyLimiter mails = LeakyLimiter.of("mails", "5 per day leaky", store);
    mails.block("alice", Duration.ofDays(2));
    mails.unblock("alice");
    assertThat(mails.tryAcquire("alice").allowed()).isTrue();
  }

  @Test
  void who_changes_a_counter_is_told_of_an_outage() {
    PeriodLimiter limiter = PeriodLimiter.of("p", "5 per day window", store);
    store.switchOff();
    List.<ThrowingCallable>of(
            () -> limiter.reset(alice),
            () -> limiter.reward(alice, 1),
            () -> limiter.block(alice, Duration.ofDays(1)),
            () -> limiter.unblock(alice))
        .forEach(
            change -> assertThatThrownBy(change).isInstanceOf(StoreUnavailableException.class));
  }

  @Test
  void what_is_no_reward_and_no_block_is_told() {
    TokenLimiter limiter = TokenLimiter.of("t", "5 per day", store);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.reward(alice, 0))
        .withMessage("permits: 0 (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.block(alice, Duration.ZERO))
        .withMessage("duration: PT0S (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.block(alice, Duration.ofDays(367)))
        .withMessage("duration: PT8808H (expected: at most 366 days)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.block(alice, Duration.ofNanos(1)))
        .withMessage("duration: PT0.000000001S (expected: a whole number of microseconds)");
  }

  @Test
  void limiters_of_one_name_share_their_counters() {
    TokenLimiter one = TokenLimiter.of("shared", "2 per day", store);
    TokenLimiter other = TokenLimiter.of("shared", "2 per day", store);
    TokenLimiter stranger = TokenLimiter.of("stranger", "2 per day", store);
    one.tryAcquire(alice, 2);
    assertThat(other.tryAcquire(alice).allowed()).isFalse();
    assertThat(stranger.tryAcquire(alice).allowed()).isTrue();
    assertThat(other.tryAcquire(Subject.of("user", "bob")).allowed()).isTrue();
  }

  @Test
  void a_request_above_the_capacity_is_a_normal_denial() {
    for (Decision decision :
        List.of(
            TokenLimiter.of("calls", "2 per day", store).tryAcquire(alice, 3),
            PeriodLimiter.of("quota", "2 per day window", store)
                .tryAcquire(alice, Long.MAX_VALUE))) {
      assertThat(decision.allowed()).isFalse();
      assertThat(((Decision.Counted) decision).isNeverSatisfiable()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(OnOutage.class)
  void an_outage_is_answered_by_the_policy_and_never_thrown(OnOutage onOutage) {
    store.switchOff();
    Decision expected =
        onOutage == OnOutage.ALLOW
            ? Decision.failOpen()
            : Decision.failClosed(SwitchableStore.NEXT_PROBE);

    assertThat(TokenLimiter.of("t", "1 per day", store).withOnOutage(onOutage).tryAcquire(alice))
        .isEqualTo(expected);
    assertThat(
            PeriodLimiter.of("p", "1 per day window", store)
                .withOnOutage(onOutage)
                .tryAcquire(alice))
        .isEqualTo(expected);
  }

  @Test
  void by_default_a_limiter_falls_back_where_the_store_can() {
    store.switchOff();
    LimitStore failover = FailoverLimitStore.of(store, LocalLimitStore.of());
    assertThat(TokenLimiter.of("t", "1 per day", failover).tryAcquire(alice).source())
        .isEqualTo(Source.LOCAL);
  }

  @Test
  void what_the_policy_answers_is_no_count_of_a_quota() {
    assertThat(QuotaStatus.of(Decision.failOpen())).isEqualTo(QuotaStatus.ALLOWED);
    assertThat(QuotaStatus.of(Decision.failClosed(Duration.ZERO)))
        .isEqualTo(QuotaStatus.OVER_QUOTA);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void permits_are_positive(long permits) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenLimiter.of("t", "1 per day", store).tryAcquire(alice, permits))
        .withMessage("permits: " + permits + " (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> PeriodLimiter.of("p", "1 per day window", store).tryAcquire(alice, permits))
        .withMessage("permits: " + permits + " (expected: > 0)");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -1_000_000})
  void deadlines_are_positive(long nanos) {
    Duration deadline = Duration.ofNanos(nanos);
    TokenLimiter tokens = TokenLimiter.of("t", "1 per day", store);
    PeriodLimiter period = PeriodLimiter.of("p", "1 per day window", store);
    String message = "deadline: " + deadline + " (expected: > 0)";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> tokens.withDeadline(deadline))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> period.withDeadline(deadline))
        .withMessage(message);
    assertThat(store.requested()).isZero();
  }

  @Test
  void any_positive_deadline_is_one() {
    TokenLimiter limiter = TokenLimiter.of("t", "9 per day", store);
    assertThat(limiter.withDeadline(Duration.ofNanos(1)).tryAcquire(alice, 1).allowed()).isTrue();
    assertThat(
            limiter.withDeadline(Duration.ofSeconds(Long.MAX_VALUE)).tryAcquire(alice, 1).allowed())
        .isTrue();
    assertThat(limiter.withDeadline(Duration.ofDays(400_000)).tryAcquire(alice).allowed()).isTrue();
  }

  @Test
  void a_limit_of_the_other_kind_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenLimiter.of("t", "5 per day window", store))
        .withMessage(
            "limit: '5 per day window'"
                + " (expected: a token bucket such as '100 per second, burst 200')");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PeriodLimiter.of("p", "5 per day", store))
        .withMessage(
            "limit: '5 per day' (expected: a window such as '1000 per day window' or '30 per 10s"
                + " sliding')");
  }

  @Test
  void a_name_is_checked_at_once() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenLimiter.of(" ", "5 per day", store))
        .withMessage("name: ' ' (expected: a name that is not blank)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PeriodLimiter.of("a{b}", "5 per day window", store))
        .withMessageStartingWith("name: 'a{b}' (expected: ");
  }

  @Test
  void a_limiter_without_a_name_is_named_by_what_its_limit_prints() {
    assertThat(TokenLimiter.of("2/s")).hasToString("2 per second: 2 per second");
    assertThat(PeriodLimiter.of("2/d window UTC"))
        .hasToString("2 per day window UTC: 2 per day window UTC");
    assertThat(LeakyLimiter.of("2/s leaky")).hasToString("2 per second leaky: 2 per second leaky");
    try (ConcurrencyLimiter exports = ConcurrencyLimiter.of("4 concurrent, ttl 30s")) {
      assertThat(exports).hasToString("4 concurrent: 4 concurrent");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeakyLimiter.of("2/s"))
        .withMessageStartingWith("limit: '2 per second' (expected: a leaky bucket");
  }

  @Test
  void limiters_without_a_name_and_a_store_share_nothing() {
    assertThat(TokenLimiter.of("1 per day").tryAcquire(alice).allowed()).isTrue();
    assertThat(TokenLimiter.of("1 per day").tryAcquire(alice).allowed()).isTrue();
  }

  @Test
  void a_limiter_prints_its_name_and_limit() {
    assertThat(TokenLimiter.of("calls", "2/s", store)).hasToString("calls: 2 per second");
    assertThat(PeriodLimiter.of("quota", "2/day window", store))
        .hasToString("quota: 2 per day window");
  }
}
