package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The data in Redis under our keys, and the handling of foreign data there. */
class RedisForeignDataTest extends StoreOnEveryRedis {

  private final Charge bucket = charge("bucket", "10 per 30 days", alice, 4);
  private final Charge window = charge("window", "10 per 30 days window", alice, 4);
  private final List<Charge> both = List.of(bucket, window);

  @Test
  void garbage_counts_as_nothing_and_is_replaced() {
    for (Charge charge : both) {
      for (String garbage : List.of("", "garbage", "{\"a\":1}", "1", "-4:5:6", "nan:nan:nan")) {
        redis.set(key(charge), garbage);
        assertThat(decide(store, charge).binding().remaining()).isEqualTo(6);
        assertThat(redis.get(key(charge))).isNotEqualTo(garbage);
        assertThat(redis.pttl(key(charge))).isPositive();
      }
    }
  }

  @Test
  void a_value_of_another_type_counts_as_nothing_and_is_replaced() {
    for (Charge charge : both) {
      List<Runnable> types =
          List.of(
              () -> redis.lpush(key(charge), "a"),
              () -> redis.hset(key(charge), Map.of("a", "b")),
              () -> redis.sadd(key(charge), "a"),
              () -> redis.zadd(key(charge), 1, "a"));
      for (Runnable type : types) {
        redis.del(key(charge));
        type.run();
        assertThat(decide(store, charge).binding().remaining()).isEqualTo(6);
        assertThat(redis.type(key(charge))).isEqualTo("string");
      }
    }
  }

  /** A denial by it would have no end, which no script of ours replies. */
  @Test
  void a_block_of_no_length_counts_as_nothing() {
    long ends = System.currentTimeMillis() * 1_000 + 3_600_000_000L;
    String block = "!" + ends + ":0;";
    Charge held = charge("held", "10 concurrent, ttl 1h", alice, 4);
    redis.set(key(bucket), block + "4000000:1:1000000");
    redis.set(key(window), block + "4:" + ends);
    redis.zadd(key(held), Map.of(block, -9007199254740992.0, "ttl", -3.6e9, "1", (double) ends));
    for (Charge charge : List.of(bucket, window, held)) {
      assertThat(AcquireRequests.peek(store, charge).allowed()).as("%s", charge).isTrue();
      assertThat(decide(store, charge).binding().remaining()).isEqualTo(6);
    }
    assertThat(store.isHealthy()).isTrue();
  }

  @Test
  void other_keys_of_the_same_decision_do_not_suffer() {
    decide(store, bucket);
    redis.lpush(key(window), "a");
    Decision.Counted decision = decide(store, bucket, window);
    assertThat(AcquireRequests.remaining(decision)).containsExactly(2L, 6L);
  }

  @Test
  void giving_back_to_a_value_of_another_type_changes_nothing() {
    Decision.Counted granted = decide(store, bucket, window);
    redis.del(key(bucket), key(window));
    redis.lpush(key(bucket), "a");
    AcquireRequests.refund(store, granted);
    assertThat(redis.type(key(bucket))).isEqualTo("list");
    assertThat(redis.exists(key(window))).isFalse();
  }

  @Test
  void a_key_without_a_time_to_live_means_what_it_says_and_gets_one() {
    for (Charge charge : both) {
      decide(store, charge);
      redis.persist(key(charge));
      assertThat(decide(store, charge).binding().remaining()).isEqualTo(2);
      assertThat(redis.pttl(key(charge))).isPositive();
    }
  }

  @Test
  void an_old_key_without_a_time_to_live_does_not_stay_for_ever() {
    redis.set(key(window), "10:1000");
    redis.set(key(bucket), "10:1000:1");
    assertThat(decide(store, bucket, window).allowed()).isTrue();
    assertThat(redis.pttl(key(window))).isPositive();
    assertThat(redis.pttl(key(bucket))).isPositive();
  }

  @Test
  void every_key_lives_at_least_until_full_and_at_most_twice_as_long_and_a_second() {
    for (String limit :
        List.of(
            "10 per 30 days",
            "10 per second, burst 5",
            "1 per second, burst 100",
            "10_000_000 per second",
            "3 per 2ms window",
            "10 per day window",
            "10 per month window UTC")) {
      Charge charge = charge(limit, limit, alice, 3);
      Duration reset = decide(store, charge).binding().resetAfter();
      long livesMillis = redis.pttl(key(charge));
      long sinceMillis = 500;
      assertThat(livesMillis)
          .as(limit)
          .isBetween(reset.toMillis() - sinceMillis, 2 * reset.toMillis() + 1_001);
    }
  }

  @Test
  void a_key_ends_by_itself() {
    Charge charge = charge("short", "100 per second", alice, 1);
    decide(store, charge);
    Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> !redis.exists(key(charge)));
  }

  @Test
  void a_denial_writes_nothing() {
    decide(store, bucket, window);
    decide(store, bucket, window);
    assertWritesNothing(
        () -> {
          for (int i = 0; i < 50; i++) {
            assertThat(decide(store, bucket).allowed()).isFalse();
            assertThat(decide(store, window).allowed()).isFalse();
            assertThat(decide(store, bucket, window).allowed()).isFalse();
          }
        },
        bucket,
        window);
  }

  @Test
  void a_denial_of_a_blocked_counter_writes_nothing() {
    decide(store, bucket);
    block(bucket, Duration.ofDays(1));
    block(window, Duration.ofDays(1));
    assertWritesNothing(
        () -> {
          for (int i = 0; i < 50; i++) {
            assertThat(decide(store, bucket).allowed()).isFalse();
            assertThat(decide(store, window, bucket).allowed()).isFalse();
            assertThat(AcquireRequests.upTo(store, window).allowed()).isFalse();
          }
        },
        bucket,
        window);
  }

  @Test
  void a_key_lives_as_long_as_the_block_and_what_was_consumed() {
    long sinceMillis = 5_000;
    long daysMillis = Duration.ofDays(1).toMillis();
    block(window, Duration.ofDays(1));
    assertThat(redis.pttl(key(window))).isBetween(daysMillis - sinceMillis, daysMillis + 1_000);

    decide(store, bucket);
    long lives = redis.pttl(key(bucket));
    block(bucket, Duration.ofMinutes(1));
    assertThat(redis.pttl(key(bucket))).isBetween(lives - sinceMillis, lives);
    block(bucket, Duration.ofDays(60));
    AcquireRequests.adjust(store, new Adjustment.Reward(bucket.counter(), 3));
    assertThat(redis.pttl(key(bucket))).isGreaterThan(60 * daysMillis - sinceMillis);
  }

  @Test
  void a_reset_leaves_no_key() {
    decide(store, bucket);
    AcquireRequests.adjust(store, new Adjustment.Reset(bucket.counter()));
    assertThat(redis.exists(key(bucket))).isFalse();
  }

  @Test
  void a_block_that_nobody_here_has_written_counts_as_nothing_and_is_replaced() {
    long later = System.currentTimeMillis() * 1_000 + 3_600_000_000L;
    for (Charge charge : both) {
      for (String garbage :
          List.of(
              "!",
              "!;",
              "!garbage;",
              "!" + later + ";",
              "!-1:60;",
              "!" + later + ":60",
              "!" + later + ":0x10;",
              "!9007199254740992:60;",
              "!" + later + ":31622400000001;",
              "!!" + later + ":60;")) {
        redis.set(key(charge), garbage);
        assertThat(decide(store, charge).binding().remaining()).as(garbage).isEqualTo(6);
        assertThat(redis.get(key(charge))).doesNotContain("!");
      }
    }
  }

  @Test
  void a_value_of_another_type_is_replaced_by_a_block() {
    redis.lpush(key(bucket), "a");
    block(bucket, Duration.ofDays(1));
    assertThat(decide(store, bucket).allowed()).isFalse();
    assertThat(redis.type(key(bucket))).isEqualTo("string");
  }

  private void block(Charge charge, Duration duration) {
    AcquireRequests.adjust(store, new Adjustment.Block(charge.counter(), duration));
  }

  @Test
  void a_look_writes_nothing() {
    decide(store, bucket);
    assertWritesNothing(
        () -> {
          for (int i = 0; i < 50; i++) {
            assertThat(AcquireRequests.peek(store, bucket, window).allowed()).isTrue();
          }
        },
        bucket,
        window);
    assertThat(redis.exists(key(window))).isFalse();
  }

  @Test
  void a_decision_over_several_limits_is_one_command() {
    decide(store, bucket, window);
    long before = server.calls("evalsha");
    Decision.Counted decision = decide(store, bucket, window);
    assertThat(decision.verdicts()).hasSize(2);
    assertThat(server.calls("evalsha") - before).isBetween(1L, 2L);
  }

  @Test
  void scripts_that_redis_has_forgotten_are_sent_once_and_charge_once() {
    Charge one = charge("flushed", "1000 per 30 days", alice, 1);
    for (int i = 1; i <= 20; i++) {
      redis.scriptFlush();
      assertThat(decide(store, one).binding().remaining()).isEqualTo(1_000 - i);
    }
    assertThat(store.isHealthy()).isTrue();
  }
}
