package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.orBlock;
import static dev.weir.fixture.AcquireRequests.refund;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keys that a block leaves in Redis once it has been lifted. */
class RedisUnblockTest extends StoreOnEveryRedis {

  private static final long SINCE_MILLIS = 5_000;
  private static final Duration LONG = Duration.ofDays(300);

  private final Charge window = charge("window", "10 per 30 days window", alice, 4);
  private final Charge calendar = charge("calendar", "10 per month window UTC", alice, 4);
  private final Charge held = charge("held", "10 concurrent, ttl 1h", alice, 4);
  private final Charge ban = charge("ban", "10 per 30 days sliding", alice, 10);
  private final List<Charge> all =
      List.of(
          charge("bucket", "10 per 30 days", alice, 4),
          charge("leaky", "10 per 30 days leaky", alice, 4),
          window,
          calendar,
          charge("sliding", "10 per 30 days sliding", alice, 4),
          held);

  @Test
  void a_key_lives_as_long_as_without_the_block() {
    for (Charge charge : all) {
      decide(store, charge);
      long lives = redis.pttl(key(charge));
      block(charge);
      assertThat(redis.pttl(key(charge))).isGreaterThan(LONG.toMillis() - SINCE_MILLIS);
      unblock(store, charge);
      assertThat(redis.pttl(key(charge)))
          .as("%s", charge)
          .isBetween(lives - SINCE_MILLIS, lives + 1);
    }
  }

  @Test
  void nothing_is_left_of_a_counter_that_was_only_blocked() {
    for (Charge charge : all) {
      block(charge);
      unblock(store, charge);
      assertThat(redis.exists(key(charge))).as("%s", charge).isFalse();
    }
    assertThat(orBlock(store, LONG, ban).allowed()).isFalse();
    unblock(store, ban);
    assertThat(redis.exists(key(ban))).isFalse();
  }

  @Test
  void a_counter_that_is_not_blocked_is_not_written() {
    for (Charge charge : all) {
      assertWritesNothing(() -> unblock(store, charge), charge);
      assertThat(redis.exists(key(charge))).as("%s", charge).isFalse();
      decide(store, charge);
      assertWritesNothing(() -> unblock(store, charge), charge);
    }
  }

  @Test
  void a_window_without_a_used_permit_keeps_its_end() {
    for (Charge charge : List.of(window, calendar)) {
      refund(store, decide(store, charge));
      String state = redis.get(key(charge));
      long lives = redis.pttl(key(charge));
      block(charge);
      unblock(store, charge);
      assertThat(redis.get(key(charge))).isEqualTo(state);
      assertThat(redis.pttl(key(charge))).isBetween(lives - SINCE_MILLIS, lives + 1);
    }
  }

  @Test
  void only_the_block_leaves_a_set_of_held_permits() {
    decide(store, held);
    List<String> members = redis.zrange(key(held), 0, -1);
    block(held);
    assertThat(redis.zcard(key(held))).isEqualTo(members.size() + 1);
    unblock(store, held);
    assertThat(redis.zrange(key(held), 0, -1)).isEqualTo(members);
  }

  /** A node whose calendar is wrong sends bounds that do not hold the server's time. */
  @Test
  void the_block_of_a_window_is_lifted_whatever_the_date_on_the_node() {
    RedisOptions options =
        RedisOptions.of(server.uri(), "behind").withDeadline(Duration.ofSeconds(5));
    for (int days : new int[] {-200, 0, 200}) {
      Charge charge = charge("calendar " + days, "10 per month window UTC", alice, 4);
      try (RedisLimitStore node =
          RedisLimitStore.connect(
              options, LimiterListener.NONE, () -> Instant.now().plus(Duration.ofDays(days)))) {
        for (long remaining = 10; remaining > 0; remaining -= 4) {
          block(charge);
          unblock(node, charge);
          Decision.Counted granted = decide(store, charge);
          assertThat(granted.allowed()).as("%d days off", days).isEqualTo(remaining >= 4);
        }
      }
    }
  }

  @Test
  void a_foreign_value_stays_as_it_is() {
    for (Charge charge : all) {
      for (String foreign : List.of("!", "!garbage;", "!1:1;rest", "garbage")) {
        redis.set(key(charge), foreign);
        assertWritesNothing(() -> unblock(store, charge), charge);
      }
    }
  }

  private void block(Charge charge) {
    AcquireRequests.adjust(store, new Adjustment.Block(charge.counter(), LONG));
  }

  private static void unblock(LimitStore store, Charge charge) {
    AcquireRequests.adjust(store, new Adjustment.Unblock(charge.counter()));
  }
}
