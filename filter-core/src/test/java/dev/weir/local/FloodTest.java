package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Subject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A flood of subjects fills its limit's part of the map, and takes no room from other limits. */
class FloodTest {

  private static final int CAP = 8_192;

  private final ManualTime time = new ManualTime();

  private LocalLimitStore store(int limits) {
    return LocalLimitStore.of(
        LocalOptions.of()
            .withNodes(1)
            .withTime(time, time::instant)
            .withMaxCounters(CAP)
            .withLimits(() -> limits));
  }

  @Test
  void only_the_limit_that_is_flooded_overflows() {
    for (int announced : new int[] {0, 4}) {
      LocalLimitStore store = store(announced);
      Subject attacker = Subject.of("ip", "198.51.100.7");
      for (int i = 0; i < 2 * CAP; i++) {
        Subject key = Subject.of("header:x-api-key", "made up " + i);
        decide(
            store,
            charge("flood", "1000000 per second", attacker, 1),
            charge("api", "20 per second, burst 40", key, 1),
            charge("daily", "100000 per day window", key, 1));
        time.advance(Duration.ofMillis(10));
      }
      for (int i = 0; i < 1_000; i++) {
        Subject address = Subject.of("ip", "192.0.2." + i);
        assertThat(
                decide(
                        store,
                        charge("flood", "100 per second, burst 300", address, 300),
                        charge("login", "5 per minute", address, 5))
                    .allowed())
            .as("all that a new address may take, %s limits announced, number %s", announced, i)
            .isTrue();
      }
    }
  }

  @Test
  void a_limit_that_is_flooded_frees_none_of_its_own_and_gets_its_part_back() {
    LocalLimitStore store = store(2);
    Charge victim = charge("keys", "1 per minute", Subject.of("key", "victim"), 1);
    assertThat(decide(store, victim).allowed()).isTrue();
    flood(store, "keys", "1 per minute");
    assertThat(decide(store, victim).allowed()).isFalse();

    time.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 1_000; i++) {
      Charge newcomer = charge("keys", "1 per minute", Subject.of("key", "new " + i), 1);
      assertThat(decide(store, newcomer).allowed()).as("newcomer %s", i).isTrue();
    }
  }

  @Test
  void who_waits_in_what_overflows_keeps_his_place_when_there_is_room_for_him_alone() {
    assertPlaceIsKept("1 per minute, burst 2", 1, Duration.ofMinutes(3));
    assertPlaceIsKept("1 per minute leaky, capacity 10", 3, Duration.ofMinutes(7));
  }

  /**
   * Checks that a waiter keeps its place. Two of its requests wait in the overflow. After a reward,
   * its third request still comes after these.
   */
  private void assertPlaceIsKept(String limit, long permits, Duration earliest) {
    LocalLimitStore store = store(2);
    flood(store, "keys", limit);
    Charge waiting = charge("keys", limit, Subject.of("key", "waiter"), permits);
    Charge next = charge("keys", limit, Subject.of("key", "waiter"), 1);
    time.advance(Duration.ofSeconds(30));
    within(store, Duration.ofDays(1), waiting);
    assertThat(within(store, Duration.ofDays(1), waiting).delay())
        .isGreaterThan(Duration.ofMinutes(1));
    time.advance(Duration.ofSeconds(35));
    AcquireRequests.peek(store, next); // the waiter has its own counter from here on
    AcquireRequests.adjust(store, new Adjustment.Reward(next.counter(), 9));
    assertThat(within(store, Duration.ofDays(1), next).delay().plusSeconds(65))
        .as(limit)
        .isGreaterThanOrEqualTo(earliest);
    time.advance(Duration.ofDays(1));
  }

  @Test
  void what_an_outage_that_is_over_has_left_behind_takes_no_room() {
    LocalLimitStore store = store(2);
    flood(store, "keys", "1 per minute");
    store.suspend();
    time.advance(Duration.ofMinutes(1));
    store.resume();
    for (int i = 0; i < 1_000; i++) {
      Charge newcomer = charge("keys", "1 per minute", Subject.of("key", "new " + i), 1);
      assertThat(decide(store, newcomer).allowed()).as("newcomer %s", i).isTrue();
    }
  }

  @Test
  void floods_of_all_limits_together_fill_no_more_than_the_cap() {
    LocalLimitStore store = store(4);
    for (String limit : new String[] {"a", "b", "c", "d"}) {
      flood(store, limit, "1 per day");
    }
    assertThat(store.size()).isBetween(CAP * 9L / 10, CAP + 4L);
  }

  private static void flood(LocalLimitStore store, String name, String limit) {
    for (int i = 0; i < CAP; i++) {
      decide(store, charge(name, limit, Subject.of("key", "flood " + i), 1));
    }
  }
}
