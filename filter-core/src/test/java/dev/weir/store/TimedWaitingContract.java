package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static dev.weir.fixture.AcquireRequests.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.AcquireRequests;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store for requests that can wait. Each keeps its queue position, and the
 * limit still holds.
 */
public abstract class TimedWaitingContract extends TimedPermitsContract {

  private static final String BUCKET = "2 per second, burst 3";
  private static final String LEAKY = "2 per second leaky, capacity 5";
  private static final Duration LONG = Duration.ofDays(1);
  private static final Duration TICK = Duration.ofNanos(1_000);

  /** One that was let in: when it runs, and how many permits it takes. */
  private record Run(long nanos, long permits, Decision.Counted decision) {}

  @Test
  void whoever_waits_gets_the_next_instant_that_is_free() {
    assertThat(delayMillis(BUCKET, 3)).isZero();
    assertThat(delayMillis(BUCKET, 1)).isEqualTo(500);
    assertThat(delayMillis(BUCKET, 2)).isEqualTo(1_500);
    advance(Duration.ofMillis(700));
    assertThat(delayMillis(BUCKET, 1)).isEqualTo(1_300);
    advance(Duration.ofSeconds(10));
    assertThat(delayMillis(BUCKET, 3)).isZero();
  }

  @Test
  void a_leaky_bucket_lets_one_after_the_other_out_and_overflows() {
    assertThat(delayMillis(LEAKY, 1)).isZero();
    assertThat(delayMillis(LEAKY, 3)).isEqualTo(500);
    assertThat(delayMillis(LEAKY, 1)).isEqualTo(2_000);
    Decision.Counted over = within(store, LONG, of(LEAKY, 1));
    assertThat(over.allowed()).isFalse();
    assertThat(retryAfter(over)).isEqualTo(Duration.ofMillis(500));
    advance(Duration.ofMillis(500).minus(TICK));
    assertThat(within(store, LONG, of(LEAKY, 1)).allowed()).isFalse();
    advance(TICK);
    assertThat(delayMillis(LEAKY, 1)).isEqualTo(2_000);
  }

  @Test
  void whoever_cannot_wait_is_let_in_by_a_leaky_bucket_only_while_it_is_empty() {
    assertThat(decide(store, of(LEAKY, 2)).allowed()).isTrue();
    Decision.Counted denied = decide(store, of(LEAKY, 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.binding().remaining()).isZero();
    assertThat(retryAfter(denied)).isEqualTo(Duration.ofSeconds(1));
    advance(Duration.ofSeconds(1).minus(TICK));
    assertThat(peek(store, of(LEAKY, 1)).allowed()).isFalse();
    advance(TICK);
    assertThat(peek(store, of(LEAKY, 5)).binding().remaining()).isEqualTo(5);
    assertThat(decide(store, of(LEAKY, 5)).allowed()).isTrue();
    assertThat(decide(store, of(LEAKY, 6)).isNeverSatisfiable()).isTrue();
  }

  @Test
  void who_would_wait_too_long_is_told_at_once_and_takes_nothing() {
    for (String limit : List.of(BUCKET, LEAKY)) {
      decide(store, of(limit, 3));
      Duration wait = within(store, LONG, of(limit, 1)).delay();
      Duration next = wait.plusMillis(500);
      Decision.Counted refused = within(store, next.minus(TICK), of(limit, 1));
      assertThat(refused.allowed()).as(limit).isFalse();
      assertThat(refused.delay()).as(limit).isZero();
      assertThat(retryAfter(refused)).as(limit).isEqualTo(TICK);
      assertThat(within(store, next, of(limit, 1)).delay()).as(limit).isEqualTo(next);
    }
  }

  @Test
  void nobody_who_cannot_wait_gets_ahead_of_those_who_do() {
    decide(store, of(BUCKET, 3));
    within(store, LONG, of(BUCKET, 2));
    advance(Duration.ofSeconds(1));
    Decision.Counted denied = decide(store, of(BUCKET, 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(retryAfter(denied)).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void the_last_in_line_gives_back_what_he_has_not_used() {
    for (String limit : List.of(BUCKET, LEAKY)) {
      within(store, LONG, of(limit, 3));
      within(store, LONG, of(limit, 1));
      Decision.Counted last = within(store, LONG, of(limit, 1));
      advance(Duration.ofMillis(3));
      refund(store, last);
      Duration again = within(store, LONG, of(limit, 1)).delay();
      assertThat(again).as(limit).isEqualTo(last.delay().minusMillis(3));
    }
  }

  @Test
  void whoever_has_others_behind_him_has_spent_his_place() {
    for (String limit : List.of(BUCKET, LEAKY)) {
      within(store, LONG, of(limit, limit.equals(LEAKY) ? 1 : 3));
      Decision.Counted first = within(store, LONG, of(limit, 1));
      Decision.Counted second = within(store, LONG, of(limit, 1));
      refund(store, first);
      Duration next = peekDelay(limit);
      assertThat(next).as(limit).isEqualTo(second.delay().plusMillis(500));
      refund(store, second);
      assertThat(peekDelay(limit)).as(limit).isEqualTo(second.delay());
    }
  }

  @Test
  void whoever_has_others_behind_him_at_his_own_instant_has_spent_his_place() {
    String fast = "10_000_000 per second, burst 1000";
    within(store, LONG, of(fast, 1_000));
    Decision.Counted first = within(store, LONG, of(fast, 994));
    Decision.Counted second = within(store, LONG, of(fast, 2));
    within(store, LONG, of(fast, 1));
    refund(store, first);
    refund(store, second);
    assertThat(peekDelay(fast)).isGreaterThanOrEqualTo(second.delay());
    advance(first.delay().minus(TICK.multipliedBy(2)));
    assertThat(decide(store, of(fast, 1)).allowed()).isFalse();
  }

  @Test
  void the_last_of_those_with_one_instant_gives_back_what_he_has_not_used() {
    String fast = "10_000_000 per second, burst 1000";
    within(store, LONG, of(fast, 1_000));
    Decision.Counted first = within(store, LONG, of(fast, 994));
    refund(store, within(store, LONG, of(fast, 6)));
    assertThat(within(store, LONG, of(fast, 6)).delay()).isEqualTo(Duration.ofNanos(100_000));
    assertThat(first.delay()).isBetween(Duration.ofNanos(99_400), Duration.ofNanos(100_000));
  }

  @Test
  void what_runs_is_not_given_back_while_others_wait() {
    Decision.Counted ran = within(store, LONG, of(BUCKET, 3));
    Decision.Counted waits = within(store, LONG, of(BUCKET, 1));
    refund(store, ran);
    assertThat(peekDelay(BUCKET)).isEqualTo(waits.delay().plusMillis(500));
    advance(Duration.ofMillis(500));
    refund(store, waits);
    assertThat(decide(store, of(BUCKET, 1)).allowed()).isTrue();
  }

  @Test
  void a_rate_made_faster_lets_nobody_in_before_or_beside_those_who_wait() {
    for (String kind : List.of(", burst 3", " leaky, capacity 6")) {
      Duration last = Duration.ZERO;
      for (int i = 0; i < 5; i++) {
        last = within(store, LONG, line("1 per minute" + kind, 1)).delay();
      }
      String faster = "7 per second" + kind;
      Duration next = Duration.ofNanos(1_000_000_000L / 7).plusNanos(1);
      assertThat(decide(store, line(faster, 1)).allowed()).as(kind).isFalse();
      advance(last.minus(TICK));
      assertThat(decide(store, line(faster, 1)).allowed()).as(kind).isFalse();
      assertThat(within(store, LONG, line(faster, 1)).delay())
          .as(kind)
          .isBetween(next, next.multipliedBy(2).plus(TICK.multipliedBy(2)));
    }
  }

  @Test
  void whoever_joins_the_line_of_a_slower_rate_holds_up_the_next_for_all_his_permits() {
    Duration last = Duration.ZERO;
    for (int i = 0; i < 5; i++) {
      last = within(store, LONG, line("1 per minute leaky, capacity 9", 1)).delay();
    }
    advance(last.minusMillis(500));
    String faster = "7 per second leaky, capacity 9";
    Duration three = within(store, LONG, line(faster, 3)).delay();
    assertThat(three).isGreaterThanOrEqualTo(Duration.ofMillis(500));
    assertThat(within(store, LONG, line(faster, 1)).delay().minus(three))
        .isGreaterThanOrEqualTo(Duration.ofMillis(3_000 / 7));
  }

  @Test
  void whoever_waits_for_several_permits_holds_up_the_next_for_all_of_them_after_a_reward() {
    String limit = "2 per second leaky, capacity 9";
    within(store, LONG, of(limit, 2));
    Duration three = within(store, LONG, of(limit, 3)).delay();
    reward(limit, 5);
    assertThat(within(store, LONG, of(limit, 1)).delay())
        .isGreaterThanOrEqualTo(three.plusMillis(1_500));
  }

  @Test
  void whoever_leaves_a_line_that_was_rewarded_has_spent_his_place_and_nobody_runs_earlier() {
    for (String limit : List.of(BUCKET, "2 per second leaky, capacity 9")) {
      within(store, LONG, of(limit, 3));
      within(store, LONG, of(limit, 1));
      Decision.Counted second = within(store, LONG, of(limit, 1));
      reward(limit, 1);
      refund(store, second);
      assertThat(within(store, LONG, of(limit, 1)).delay())
          .as(limit)
          .isGreaterThanOrEqualTo(second.delay().plusMillis(500));
    }
  }

  @Test
  void a_rate_that_was_fast_for_a_moment_leaves_no_debt_that_a_slow_one_never_pays() {
    for (String kind : List.of(", burst 3", " leaky, capacity 9")) {
      for (int i = 0; i < 5; i++) {
        within(store, LONG, line("1 per minute" + kind, 1));
      }
      within(store, LONG, line("7 per second" + kind, 1));
      assertThat(within(store, LONG, line("1 per minute" + kind, 1)).delay())
          .as(kind)
          .isLessThan(Duration.ofMinutes(10));
      advance(Duration.ofMinutes(10));
      assertThat(within(store, LONG, line("1 per minute" + kind, 1)).delay()).as(kind).isZero();
    }
  }

  @Test
  void once_those_who_waited_at_a_slower_rate_have_run_a_bucket_fills_from_nothing() {
    for (int i = 0; i < 5; i++) {
      within(store, LONG, line("1 per minute, burst 3", 1));
    }
    advance(Duration.ofMinutes(2).plusSeconds(2));
    assertThat(peek(store, line("1 per second, burst 3", 1)).binding().remaining())
        .isLessThanOrEqualTo(2);
  }

  @Test
  void a_reward_lets_nobody_in_beside_those_who_wait() {
    for (String limit : List.of(BUCKET, "2 per second leaky, capacity 9")) {
      within(store, LONG, of(limit, 2));
      within(store, LONG, of(limit, 2));
      Duration last = within(store, LONG, of(limit, 1)).delay();
      reward(limit, 3);
      assertThat(within(store, last, of(limit, 1)).allowed()).as(limit).isFalse();
      assertThat(within(store, LONG, of(limit, 1)).delay()).as(limit).isGreaterThan(last);
    }
  }

  @Test
  void windows_keep_nobodys_place() {
    for (String limit : List.of("3 per minute window", "3 per minute sliding")) {
      decide(store, of(limit, 3));
      Decision.Counted denied = within(store, LONG, of(limit, 1));
      assertThat(denied.allowed()).as(limit).isFalse();
      assertThat(retryAfter(denied)).as(limit).isEqualTo(retryAfter(decide(store, of(limit, 1))));
    }
  }

  @Test
  void a_block_lets_nobody_wait() {
    for (String limit : List.of(BUCKET, LEAKY)) {
      block(limit, Duration.ofSeconds(7));
      Decision.Counted denied = within(store, LONG, of(limit, 1));
      assertThat(denied.allowed()).as(limit).isFalse();
      assertThat(retryAfter(denied)).as(limit).isEqualTo(Duration.ofSeconds(7));
    }
  }

  @Test
  void to_wait_for_several_limits_at_once_is_no_ask() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> within(store, LONG, of(BUCKET, 1), of(LEAKY, 1)))
        .withMessageStartingWith("charges: 2 (expected: of one counter");
  }

  @Test
  void whoever_waits_and_whoever_cancels_the_limit_holds_at_the_instants_at_which_they_run() {
    for (int seed = 0; seed < 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String limit = seed % 2 == 0 ? "3 per second, burst 4" : "3 per second leaky, capacity 9";
      Counter counter = new Counter("line" + seed, Limit.parse(limit), alice);
      List<Run> runs = new ArrayList<>();
      long nowNanos = 0;
      for (int i = 0; i < 60; i++) {
        Duration passed = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(2_000) : 0);
        advance(passed);
        nowNanos += passed.toNanos();
        if (random.nextInt(3) == 0 && !runs.isEmpty()) {
          cancelOne(runs, nowNanos, random);
          continue;
        }
        Charge charge = new Charge(counter, 1 + random.nextInt(3));
        Decision.Counted decision =
            within(store, Duration.ofMillis(random.nextInt(20_000)), charge);
        if (decision.allowed()) {
          runs.add(new Run(nowNanos + decision.delay().toNanos(), charge.permits(), decision));
        }
      }
      assertPromise(runs, limit);
    }
  }

  /** One that waits and never runs, or one that has run and counts for nothing. */
  private void cancelOne(List<Run> runs, long nowNanos, SplittableRandom random) {
    Run one = runs.get(random.nextBoolean() ? runs.size() - 1 : random.nextInt(runs.size()));
    if (one.nanos > nowNanos) {
      runs.remove(one);
      refund(store, one.decision);
    }
  }

  private static void assertPromise(List<Run> runs, String limit) {
    boolean leaks = Limit.parse(limit) instanceof LeakyBucket;
    List<Run> inTime = runs.stream().sorted(Comparator.comparingLong(Run::nanos)).toList();
    for (int from = 0; from < inTime.size(); from++) {
      long permits = 0;
      for (int to = from; to < inTime.size(); to++) {
        long nanos = inTime.get(to).nanos - inTime.get(from).nanos;
        long before = permits;
        permits += inTime.get(to).permits;
        // a tick of a microsecond is the finest that the promise knows
        double refilled = (nanos + 1_000) * 3e-9;
        if (leaks) {
          assertThat((double) before).as(limit).isLessThanOrEqualTo(refilled);
        } else {
          assertThat((double) permits).as(limit).isLessThanOrEqualTo(4 + refilled);
        }
      }
    }
  }

  /** The same line, whatever the limit's numbers. */
  private Charge line(String limit, long permits) {
    String kind = limit.contains("leaky") ? "leaky-line" : "line";
    return AcquireRequests.charge(kind, limit, alice, permits);
  }

  private Duration peekDelay(String limit) {
    Decision.Counted next = within(store, LONG, of(limit, 1));
    refund(store, next);
    return next.delay();
  }

  private long delayMillis(String limit, long permits) {
    Decision.Counted decision = within(store, LONG, of(limit, permits));
    assertThat(decision.allowed()).isTrue();
    return decision.delay().toMillis();
  }
}
