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
import org.junit.jupiter.api.Test;

/**
 * The data in Redis under the key of a concurrency limit, and the handling of foreign data there.
 */
class RedisForeignSetTest extends StoreOnEveryRedis {

  private static final double TTL_MICROS = 10e6;

  private final Charge held = charge("held", "4 concurrent, ttl 10s", alice, 1);
  private final double later = System.currentTimeMillis() * 1e3 + 5e6;

  @Test
  void a_value_of_another_type_counts_as_nothing_and_is_replaced() {
    List<Runnable> types =
        List.of(
            () -> redis.set(key(held), ""),
            () -> redis.set(key(held), "1:10000000;71:1:9999999999999999"),
            () -> redis.lpush(key(held), "a"),
            () -> redis.hset(key(held), Map.of("a", "b")),
            () -> redis.sadd(key(held), "a"));
    for (Runnable type : types) {
      redis.del(key(held));
      type.run();
      assertNothingCounts();
    }
  }

  @Test
  void a_sorted_set_that_does_not_begin_as_ours_do_counts_as_nothing_and_is_replaced() {
    for (Map<String, Double> foreign :
        List.of(
            Map.of("71", later),
            Map.of("ttl", later, "71", later),
            Map.of("ttl", 0.0, "71", later),
            Map.of("tt", -TTL_MICROS, "71", later),
            Map.of("before", -2 * TTL_MICROS, "ttl", -TTL_MICROS, "71", later),
            Map.of("ttl", -TTL_MICROS, "zzz", -TTL_MICROS, "71", later),
            Map.of("ttl", -TTL_MICROS, "zzz", -1.0, "71", later),
            Map.of("!garbage;", -9e15, "ttl", -TTL_MICROS, "71", later),
            Map.of("!9999999999999999:60;", -9e15, "ttl", -TTL_MICROS, "71", later),
            Map.of("ttl", -TTL_MICROS, "71", Double.POSITIVE_INFINITY),
            Map.of("ttl", Double.NEGATIVE_INFINITY, "71", later),
            Map.of("ttl", -TTL_MICROS, "71", 1e17))) {
      redis.del(key(held));
      redis.zadd(key(held), foreign);
      assertNothingCounts();
    }
  }

  private void assertNothingCounts() {
    Decision.Counted granted = decide(store, held);
    assertThat(granted.binding().remaining()).isEqualTo(3);
    assertThat(redis.zcard(key(held))).as("its ttl and one permit").isEqualTo(2);
    assertThat(redis.pttl(key(held))).isPositive();
    AcquireRequests.refund(store, granted);
  }

  @Test
  void members_that_nobody_here_has_added_hold_until_they_end_and_no_longer() {
    redis.zadd(
        key(held), Map.of("ttl", -TTL_MICROS, "", later, "7:3", later, "8:", later, "x", later));
    assertThat(decide(store, held).allowed()).isFalse();
    redis.zadd(key(held), Map.of("", 1.0, "7:3", 1.5, "8:", -1.5, "x", 0.0));
    assertNothingCounts();
  }

  @Test
  void an_end_that_no_clock_of_ours_has_written_is_one_lease_away() {
    redis.zadd(key(held), Map.of("ttl", -TTL_MICROS, "1", 9e15, "2", 9e15, "3", 9e15, "4", 9e15));
    Decision.Counted denied = decide(store, held);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    assertThat(redis.zcount(key(held), later + 2 * TTL_MICROS, Double.MAX_VALUE)).isZero();
  }

  @Test
  void a_key_without_a_time_to_live_means_what_it_says_and_gets_one() {
    Decision.Counted granted = decide(store, held);
    redis.persist(key(held));
    assertThat(decide(store, held).binding().remaining()).isEqualTo(2);
    assertThat(redis.pttl(key(held))).isPositive();
    redis.persist(key(held));
    AcquireRequests.refund(store, granted);
    assertThat(redis.pttl(key(held))).isPositive();
  }

  @Test
  void a_release_and_a_renewal_of_what_is_not_there_change_nothing() {
    Decision.Counted granted = decide(store, held);
    for (Runnable type :
        List.<Runnable>of(
            () -> {}, () -> redis.set(key(held), "a"), () -> redis.lpush(key(held), "a"))) {
      redis.del(key(held));
      type.run();
      String before = redis.type(key(held));
      AcquireRequests.refund(store, granted);
      assertThat(redis.type(key(held))).isEqualTo(before);
    }
  }

  @Test
  void a_block_stands_before_what_is_held_and_replaces_what_is_foreign() {
    decide(store, held);
    block(Duration.ofMinutes(1));
    assertThat(decide(store, held).allowed()).isFalse();
    assertThat(redis.zcard(key(held))).isEqualTo(3);
    assertThat(redis.pttl(key(held))).isGreaterThan(50_000);

    block(Duration.ofHours(1));
    assertThat(redis.zcard(key(held))).as("one block").isEqualTo(3);

    redis.del(key(held));
    redis.set(key(held), "a");
    block(Duration.ofMinutes(1));
    assertThat(decide(store, held).allowed()).isFalse();
    assertThat(redis.zcard(key(held))).isEqualTo(1);

    AcquireRequests.adjust(store, new Adjustment.Reset(held.counter()));
    assertThat(redis.exists(key(held))).isFalse();
  }

  private void block(Duration duration) {
    AcquireRequests.adjust(store, new Adjustment.Block(held.counter(), duration));
  }

  @Test
  void a_denial_writes_nothing() {
    for (int i = 0; i < 4; i++) {
      decide(store, held);
    }
    assertWritesNothing(
        () -> {
          for (int i = 0; i < 50; i++) {
            assertThat(decide(store, held).allowed()).isFalse();
          }
        },
        held);
  }
}
