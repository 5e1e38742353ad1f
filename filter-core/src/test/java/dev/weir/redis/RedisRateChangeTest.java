package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key outlives its old limit: what was consumed at one rate is debt at the next. */
class RedisRateChangeTest extends StoreOnEveryRedis {

  private static final String FAST = "100 per second, burst 100";
  private static final String SLOW = "1 per minute, burst 100";

  private final Charge other = charge("other", "10 per 30 days", alice, 1);

  @Test
  void a_denial_keeps_a_debt_for_as_long_as_a_slower_rate_takes_to_pay_it() {
    decide(store, login(FAST, 100));
    assertLives(decide(store, login(SLOW, 100)), login(SLOW, 100));
  }

  @Test
  void so_does_a_denial_by_another_limit_of_the_same_request() {
    decide(store, login(FAST, 60));
    Charge never = charge("never", "1 per day", alice, 2);
    assertLives(decide(store, login(SLOW, 1), other, never), login(SLOW, 1));
  }

  @Test
  void a_denial_at_a_faster_rate_shortens_nothing() {
    Decision.Counted slow = decide(store, login(SLOW, 100));
    assertThat(decide(store, login(FAST, 101)).allowed()).isFalse();
    assertThat(redis.pttl(key(login(SLOW, 1))))
        .isGreaterThan(slow.binding().resetAfter().toMillis() - 9_000);
  }

  @Test
  void a_denial_leaves_a_time_to_live_alone_that_suffices() {
    Charge window = charge("window", "10 per 30 days window", alice, 10);
    for (Charge charge : List.of(login(SLOW, 100), window)) {
      long resetMillis = decide(store, charge).binding().resetAfter().toMillis();
      redis.pexpire(key(charge), resetMillis + 500);
      assertThat(decide(store, charge).allowed()).isFalse();
      assertThat(decide(store, charge, other).allowed()).isFalse();
      assertThat(redis.pttl(key(charge))).isBetween(resetMillis - 9_000, resetMillis + 500);
    }
  }

  @Test
  void a_denial_gives_a_key_without_a_time_to_live_one() {
    Charge window = charge("window", "10 per 30 days window", alice, 10);
    for (Charge charge : List.of(login(SLOW, 100), window)) {
      decide(store, charge);
      redis.persist(key(charge));
      assertLives(decide(store, charge), charge);
    }
  }

  @Test
  void a_window_that_becomes_longer_still_ends_when_it_was_to_end() {
    decide(store, charge("window", "5 per minute window", alice, 5));
    Charge longer = charge("window", "5 per day window", alice, 1);
    Decision.Counted denied = decide(store, longer);
    assertThat(denied.binding().resetAfter()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    assertLives(denied, longer);
  }

  private Charge login(String limit, long permits) {
    return charge("login", limit, alice, permits);
  }

  private void assertLives(Decision.Counted denied, Charge charge) {
    assertThat(denied.allowed()).isFalse();
    Duration reset =
        denied.verdicts().stream()
            .filter(verdict -> verdict.counter().equals(charge.counter()))
            .findFirst()
            .orElseThrow()
            .resetAfter();
    assertThat(redis.pttl(key(charge)))
        .isBetween(reset.toMillis() - 9_000, reset.toMillis() + 1_001);
  }
}
