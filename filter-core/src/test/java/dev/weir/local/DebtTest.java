package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.adjust;
import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static dev.weir.fixture.AcquireRequests.upTo;
import static dev.weir.fixture.AcquireRequests.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualTime;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that costs more than a node's share passes, and what it costs more is owed. */
class DebtTest {

  private static final String BUCKET = "100 per minute";
  private static final String LEAKY = "100 per minute leaky";
  private static final String WINDOW = "100 per minute window";
  private static final String CALENDAR = "100 per minute window UTC";
  private static final String SLIDING = "100 per minute sliding";
  private static final String HELD = "100 concurrent, ttl 1m";

  private final ManualTime time = new ManualTime();
  private final Subject alice = Subject.of("alice");
  private int nodes = 10;
  private final LocalLimitStore node = node(100);

  private LocalLimitStore node(int maxCounters) {
    return LocalLimitStore.of(
        LocalOptions.of()
            .withNodes(() -> nodes)
            .withMaxCounters(maxCounters)
            .withTime(time, time::instant));
  }

  private Charge of(String limit, long permits) {
    return charge("limit", limit, alice, permits);
  }

  /** Sufficient, and not a nanosecond too long. */
  private void passesAfter(Duration wait, Charge charge) {
    assertThat(retryAfter(decide(node, charge))).isEqualTo(wait);
    time.advance(wait.minusNanos(1));
    assertThat(decide(node, charge).allowed()).as("a moment earlier").isFalse();
    time.advance(Duration.ofNanos(1));
    assertThat(decide(node, charge).allowed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING, HELD})
  void a_request_above_the_share_passes_when_the_whole_share_is_free(String limit) {
    assertThat(decide(node, of(limit, 50)).allowed()).isTrue();
    assertThat(decide(node, of(limit, 50)).allowed()).isFalse();
    assertThat(decide(node, of(limit, 1)).allowed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING, HELD})
  void it_is_denied_while_any_of_the_share_is_consumed(String limit) {
    assertThat(decide(node, of(limit, 1)).allowed()).isTrue();
    assertThat(decide(node, of(limit, 50)).allowed()).isFalse();
    assertThat(decide(node, of(limit, 1)).allowed()).isEqualTo(!limit.equals(LEAKY));
  }

  @ParameterizedTest
  @CsvSource({
    "100 per minute, 300000, 246000",
    "100 per minute leaky, 300000, 300000",
    "100 per minute window, 300000, 300000",
    "100 per minute window UTC, 300000, 300000",
    "100 per minute sliding, 330000, 330000",
    "'100 concurrent, ttl 1m', 60000, 60000"
  })
  void retry_after_follows_the_debt(String limit, long dearMillis, long cheapMillis) {
    decide(node, of(limit, 50));
    assertThat(decide(node, of(limit, 50)).binding().resetAfter())
        .isEqualTo(Duration.ofMillis(dearMillis));
    passesAfter(Duration.ofMillis(cheapMillis), of(limit, 1));
    adjust(node, new Adjustment.Reset(of(limit, 1).counter()));
    decide(node, of(limit, 50));
    passesAfter(Duration.ofMillis(dearMillis), of(limit, 50));
  }

  /** The second window pays 5, and its other 5 are the share. */
  @ParameterizedTest
  @CsvSource({
    "100 per minute window, 60000",
    "100 per minute window UTC, 60000",
    "100 per minute sliding, 66000"
  })
  void in_a_window_the_rest_of_a_debt_leaves_the_share_free(String limit, long waitMillis) {
    decide(node, of(limit, 15));
    passesAfter(Duration.ofMillis(waitMillis), of(limit, 15));
    assertThat(retryAfter(decide(node, of(limit, 1))))
        .as("10 more are owed, and no window has room before the third")
        .isEqualTo(Duration.ofMillis(2 * waitMillis));
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING, HELD})
  void who_returns_as_told_passes_though_others_have_taken_of_the_share(String limit) {
    decide(node, of(limit, 9));
    Decision denied = decide(node, of(limit, 50));
    time.advance(retryAfter(denied));
    decide(node, of(limit, 3));
    assertThat(peek(node, of(limit, 50)).allowed()).isTrue();
    assertThat(decide(node, of(limit, 50)).allowed()).isTrue();
    assertThat(decide(node, of(limit, 50)).allowed()).as("one of them").isFalse();
  }

  @Test
  void a_look_promises_nothing() {
    decide(node, of(BUCKET, 1));
    Duration wait = retryAfter(peek(node, of(BUCKET, 50)));
    time.advance(wait);
    decide(node, of(BUCKET, 1));
    assertThat(decide(node, of(BUCKET, 50)).allowed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, WINDOW, CALENDAR, SLIDING, HELD})
  void a_refund_pays_the_debt_back(String limit) {
    Decision.Counted dear = decide(node, of(limit, 50));
    refund(node, dear);
    assertThat(admittedOf(99, node, of(limit, 1))).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, CALENDAR, SLIDING})
  void a_refund_pays_back_what_is_still_owed_later(String limit) {
    Decision.Counted dear = decide(node, of(limit, 50));
    time.advance(Duration.ofSeconds(70));
    adjust(node, new Adjustment.Reconcile(dear.receipt(), 20));
    assertThat(retryAfter(decide(node, of(limit, 1)))).isLessThan(Duration.ofSeconds(66));
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void a_reward_pays_the_debt_back(String limit) {
    decide(node, of(limit, 50));
    adjust(node, new Adjustment.Reward(of(limit, 1).counter(), 20));
    Duration half = limit.equals(SLIDING) ? Duration.ofSeconds(198) : Duration.ofMinutes(3);
    assertThat(decide(node, of(limit, 50)).binding().resetAfter()).isEqualTo(half);
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING, HELD})
  void a_reset_forgets_the_debt_and_a_block_outlasts_it(String limit) {
    decide(node, of(limit, 50));
    decide(node, of(limit, 50));
    adjust(node, new Adjustment.Reset(of(limit, 1).counter()));
    assertThat(decide(node, of(limit, 50)).allowed()).isTrue();
    adjust(node, new Adjustment.Block(of(limit, 1).counter(), Duration.ofHours(1)));
    assertThat(retryAfter(decide(node, of(limit, 50)))).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, SLIDING})
  void a_request_that_was_denied_by_a_block_has_its_turn_as_if_it_had_been_denied_without_one(
      String limit) {
    decide(node, of(limit, 5));
    adjust(node, new Adjustment.Block(of(limit, 1).counter(), Duration.ofHours(1)));
    assertThat(retryAfter(decide(node, of(limit, 50)))).isEqualTo(Duration.ofHours(1));
    adjust(node, new Adjustment.Unblock(of(limit, 1).counter()));
    Duration turn = retryAfter(decide(node, of(limit, 50)));
    decide(node, of(limit, 2));
    time.advance(turn);
    assertThat(decide(node, of(limit, 50)).allowed()).as("though others took some").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, SLIDING})
  void the_turn_of_a_request_that_a_block_has_denied_outlasts_the_block(String limit) {
    decide(node, of(limit, 5));
    adjust(node, new Adjustment.Block(of(limit, 1).counter(), Duration.ofHours(1)));
    Duration turn = retryAfter(decide(node, of(limit, 50)));
    time.advance(turn);
    decide(node, of(limit, 2));
    time.advance(Duration.ofSeconds(4));
    assertThat(decide(node, of(limit, 50)).allowed()).as("though others took some").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void another_store_that_decides_does_not_forget_the_debt(String limit) {
    decide(node, of(limit, 50));
    time.advance(Duration.ofSeconds(1));
    Duration left = retryAfter(decide(node, of(limit, 50)));
    node.suspend();
    time.advance(Duration.ofHours(3));
    node.resume();
    Duration stillLeft = retryAfter(decide(node, of(limit, 50)));
    assertThat(stillLeft)
        .as("a window of the calendar ends all the same, and pays its part")
        .isBetween(left.minusSeconds(limit.equals(CALENDAR) ? 60 : 0), left);
    time.advance(stillLeft);
    assertThat(decide(node, of(limit, 50)).allowed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void a_debt_carries_over_to_another_share(String limit) {
    decide(node, of(limit, 50));
    nodes = 5;
    Duration paid = limit.equals(SLIDING) ? Duration.ofSeconds(198) : Duration.ofMinutes(3);
    Duration free = decide(node, of(limit, 50)).binding().resetAfter();
    assertThat(free).isBetween(paid.minusSeconds(30), paid);
  }

  @ParameterizedTest
  @CsvSource({
    "100 per minute, 100 per minute window",
    "100 per minute leaky, 100 per minute sliding",
    "100 per minute window, 100 per minute",
    "100 per minute window UTC, 100 per minute sliding",
    "100 per minute sliding, 100 per minute window",
    "100 per minute window, 100 per minute window UTC"
  })
  void a_debt_carries_over_to_a_limit_of_another_kind(String limit, String next) {
    decide(node, of(limit, 50));
    assertThat(decide(node, of(next, 1)).binding().resetAfter())
        .isBetween(Duration.ofMinutes(5), Duration.ofSeconds(330));
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, SLIDING})
  void a_limit_that_has_become_small_is_owed_no_more_than_one_request_may_cost(String limit) {
    nodes = 1;
    decide(node, of(limit, 100));
    nodes = 10;
    decide(node, charge("limit", limit.replace("100", "30"), alice, 1));
    time.advance(Duration.ofSeconds(67));
    decide(node, charge("limit", limit.replace("100", "30"), alice, 30));
    assertThat(
            decide(node, charge("limit", limit.replace("100", "3"), alice, 1))
                .binding()
                .resetAfter())
        .isLessThanOrEqualTo(Duration.ofSeconds(66 * 4));
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void a_flood_of_subjects_frees_no_subject_that_owes(String limit) {
    LocalLimitStore small = node(10);
    Charge dear = of(limit, 50);
    assertThat(decide(small, dear).allowed()).isTrue();
    for (int minute = 0; minute < 4; minute++) {
      for (int i = 0; i < 50; i++) {
        decide(small, charge("limit", limit, Subject.of("flood " + minute + "." + i), 1));
      }
      assertThat(decide(small, dear).allowed()).as("minute %d", minute).isFalse();
      time.advance(Duration.ofMinutes(1));
    }
  }

  /** Fills the counters of a limit, so that new subjects share one. */
  private LocalLimitStore full(String limit) {
    LocalLimitStore small = node(10);
    for (int i = 0; i < 10; i++) {
      decide(small, charge("limit", limit, Subject.of("filler " + i), 9));
    }
    return small;
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void who_has_shared_a_counter_with_a_debtor_does_not_owe_with_him(String limit) {
    LocalLimitStore small = full(limit);
    Charge cheap = charge("limit", limit, Subject.of("bob"), 1);
    assertThat(decide(small, of(limit, 50)).allowed()).isTrue();
    assertThat(decide(small, cheap).allowed()).as("on the counter that owes").isFalse();
    time.advance(Duration.ofSeconds(70));
    assertThat(retryAfter(decide(small, cheap)))
        .as("no more than the share is taken of his own")
        .isLessThanOrEqualTo(Duration.ofSeconds(66));
    assertThat(retryAfter(decide(small, of(limit, 1))))
        .as("the debtor takes his debt along")
        .isGreaterThan(Duration.ofSeconds(100));
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void a_debt_on_a_shared_counter_ends_with_the_outage(String limit) {
    LocalLimitStore small = full(limit);
    assertThat(decide(small, of(limit, 50)).allowed()).isTrue();
    small.suspend();
    time.advance(Duration.ofHours(3));
    small.resume();
    assertThat(decide(small, charge("limit", limit, Subject.of("bob"), 10)).allowed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void debtors_of_an_outage_leave_half_of_the_room_to_the_next(String limit) {
    LocalLimitStore small = node(10);
    for (int i = 0; i < 10; i++) {
      assertThat(decide(small, debtor(limit, i)).allowed()).isTrue();
    }
    small.suspend();
    time.advance(Duration.ofHours(3));
    small.resume();
    for (int i = 0; i < 5; i++) {
      Charge cheap = charge("limit", limit, Subject.of("new " + i), 10);
      assertThat(decide(small, cheap).allowed()).as("new %d", i).isTrue();
    }
    long freed = IntStream.range(0, 10).filter(i -> isFree(small, debtor(limit, i))).count();
    assertThat(freed).as("those who owe least are forgotten").isLessThanOrEqualTo(5);
    assertThat(decide(small, debtor(limit, 9)).allowed()).isFalse();
  }

  /** The later ones owe more. */
  private static Charge debtor(String limit, int number) {
    return charge("limit", limit, Subject.of("debtor " + number), 50L + number);
  }

  private static boolean isFree(LocalLimitStore store, Charge charge) {
    return peek(store, charge).allowed();
  }

  @Test
  void a_request_for_two_subjects_of_a_shared_counter_uses_its_promise_once() {
    LocalLimitStore small = full(BUCKET);
    Charge alices = of(BUCKET, 6);
    Charge bobs = charge("limit", BUCKET, Subject.of("bob"), 6);
    decide(small, of(BUCKET, 1));
    time.advance(retryAfter(decide(small, alices, bobs)));
    assertThat(decide(small, alices, bobs).allowed()).isTrue();
    time.advance(Duration.ofSeconds(12));
    assertThat(decide(small, alices, bobs).allowed()).as("nothing is owed").isFalse();
  }

  @Test
  void who_runs_as_promised_takes_no_place_in_the_line_of_those_who_wait() {
    decide(node, of(BUCKET, 9));
    time.advance(retryAfter(decide(node, of(BUCKET, 50))));
    Decision.Counted cheap = decide(node, of(BUCKET, 3));
    assertThat(decide(node, of(BUCKET, 50)).allowed()).isTrue();
    refund(node, cheap);
    assertThat(decide(node, of(BUCKET, 1)).retryAfter())
        .as("3 of the 43 that were owed are refunded")
        .hasValue(Duration.ofSeconds(41 * 6));
  }

  @Test
  void who_runs_as_promised_passes_nobody_who_waits_in_a_leaky_bucket() {
    decide(node, of(LEAKY, 9));
    time.advance(retryAfter(decide(node, of(LEAKY, 50))));
    decide(node, of(LEAKY, 5));
    Duration delay = within(node, Duration.ofMinutes(1), of(LEAKY, 1)).delay();
    assertThat(delay).isEqualTo(Duration.ofSeconds(30));
    passesAfter(delay, of(LEAKY, 50));
  }

  @Test
  void over_several_limits_it_takes_all_or_nothing() {
    Charge small = charge("other", "10 per day", alice, 10);
    assertThat(decide(node, of(BUCKET, 50), small).allowed()).isTrue();
    Subject bob = Subject.of("bob");
    Charge taken = charge("other", "10 per day", bob, 1);
    decide(node, taken);
    Charge dear = charge("limit", BUCKET, bob, 50);
    assertThat(decide(node, dear, charge("other", "10 per day", bob, 10)).allowed()).isFalse();
    assertThat(decide(node, dear).allowed()).as("nothing was taken").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {BUCKET, WINDOW, CALENDAR, SLIDING, HELD})
  void who_takes_what_there_is_leaves_no_debt(String limit) {
    assertThat(upTo(node, of(limit, 50)).granted()).hasValue(10);
    time.advance(Duration.ofSeconds(66));
    assertThat(decide(node, of(limit, 10)).allowed()).isTrue();
  }

  @Test
  void a_window_of_months_is_paid_by_the_months_that_follow() {
    time.setDate(Instant.parse("2026-11-20T00:00:00Z"));
    String limit = "100 per month window UTC";
    decide(node, of(limit, 45));
    passesAfter(
        Duration.between(time.instant(), Instant.parse("2027-03-01T00:00:00Z")), of(limit, 1));
  }

  /**
   * More than the share counts, since a request has turned out to cost more than it was granted.
   */
  @ParameterizedTest
  @ValueSource(strings = {BUCKET, LEAKY, WINDOW, CALENDAR, SLIDING})
  void a_counter_that_nobody_asks_for_ages_as_one_that_is_asked_for_often(String limit) {
    for (int minutes = 1; minutes < 12; minutes++) {
      LocalLimitStore often = node(100);
      LocalLimitStore seldom = node(100);
      for (LocalLimitStore store : List.of(often, seldom)) {
        Decision.Counted dear = decide(store, of(limit, 50));
        adjust(store, new Adjustment.Reconcile(dear.receipt(), 57));
      }
      for (int second = 0; second < 60 * minutes + 7; second++) {
        time.advance(Duration.ofSeconds(1));
        peek(often, of(limit, 1));
      }
      assertThat(peek(seldom, of(limit, 1)).verdicts())
          .isEqualTo(peek(often, of(limit, 1)).verdicts());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, SLIDING})
  void a_large_debt_is_aged_at_once_however_long_nobody_asks(String limit) {
    nodes = 1_000_000;
    String large = limit.replace("100", "1000000");
    assertThat(decide(node, of(large, 1_000_000)).allowed()).isTrue();
    time.advance(Duration.ofHours(16_650));
    assertThat(decide(node, of(large, 1)).allowed()).isFalse();
    time.advance(Duration.ofMinutes(1_000_000));
    assertThat(decide(node, of(large, 1)).allowed()).isTrue();
  }
}
