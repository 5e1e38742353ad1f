package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.adjust;
import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.orBlock;
import static dev.weir.fixture.AcquireRequests.refund;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.ManualTime;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** The map holds what is in use and no more, and forgets nothing that is. */
class BoundedMapTest {

  /** Limits of which a grant is there for long, unless it is given back. */
  private static final List<String> LASTING =
      List.of(
          "5 per day",
          "5 per day window",
          "5 per month window UTC",
          "5 per day sliding",
          "5 concurrent, ttl 1h");

  private final ManualTime time = new ManualTime();

  private LocalLimitStore store(int maxCounters) {
    return store(maxCounters, 1);
  }

  private LocalLimitStore store(int maxCounters, int limits) {
    return LocalLimitStore.of(
        LocalOptions.of()
            .withTime(time, time::instant)
            .withMaxCounters(maxCounters)
            .withLimits(() -> limits));
  }

  private static Subject subject(int number) {
    return Subject.of("user", "user " + number);
  }

  @Test
  void a_flood_of_subjects_neither_fills_the_memory_nor_frees_one_that_is_held_back() {
    for (int cap : new int[] {10, 5_000}) {
      LocalLimitStore store = store(cap);
      Charge victim = charge("limit", "2 per day", Subject.of("victim"), 1);
      assertThat(admittedOf(10, store, victim)).isEqualTo(2);

      for (int i = 0; i < 3 * cap; i++) {
        decide(store, charge("limit", "2 per day", subject(i), 1));
        assertThat(store.size()).isLessThanOrEqualTo(cap + 1L);
      }

      assertThat(decide(store, victim).allowed()).isFalse();
    }
  }

  @Test
  void at_the_cap_new_subjects_share_one_strict_counter_of_each_limit() {
    LocalLimitStore store = store(6, 2);
    for (int i = 0; i < 3; i++) {
      assertThat(admittedOf(10, store, charge("a", "2 per day", subject(i), 1))).isEqualTo(2);
      assertThat(admittedOf(10, store, charge("w", "3 per day window", subject(i), 1)))
          .isEqualTo(3);
    }
    int shared = 0;
    int window = 0;
    assertThat(decide(store, charge("a", "2 per day", subject(0), 1)).binding().isOwn()).isTrue();
    for (int i = 3; i < 100; i++) {
      shared += admittedOf(10, store, charge("a", "2 per day", subject(i), 1));
      window += admittedOf(10, store, charge("w", "3 per day window", subject(i), 1));
    }
    assertThat(decide(store, charge("a", "2 per day", subject(9), 1)).binding().isOwn()).isFalse();
    assertThat(shared).isEqualTo(2);
    assertThat(window).isEqualTo(3);
    assertThat(store.size()).isEqualTo(8);
  }

  @Test
  void a_limit_without_room_is_told_of_once_a_minute_and_each_use_of_its_shared_counter_counts() {
    LocalLimitStore store = store(2, 2);
    try (LogCapture log = new LogCapture(LocalLimitStore.class)) {
      decide(store, charge("a", "1 per second", subject(0), 1));
      decide(store, charge("b", "1 per second", subject(0), 1));
      assertThat(log.records()).isEmpty();
      assertThat(store.overflowed()).isEmpty();

      for (int i = 0; i < 59; i++) {
        decide(store, charge("a", "1 per second", subject(0), 1));
        decide(store, charge("a", "1 per second", subject(1), 1));
        decide(store, charge("a", "1 per second", subject(2), 1));
        time.advance(Duration.ofSeconds(1));
      }
      assertThat(log.records())
          .extracting(LogRecord::getMessage)
          .containsExactly(
              "Limit a has used its part of the 2 counters in process (max-counters). Its new"
                  + " subjects share one counter, so one may be denied because of others. A larger"
                  + " max-counters makes room");
      assertThat(store.overflowed()).isEqualTo(Map.of("a", 2 * 59L));

      decide(store, charge("b", "1 per second", subject(0), 1));
      decide(store, charge("b", "1 per second", subject(1), 1));
      assertThat(log.records()).as("another limit").hasSize(2);

      time.advance(Duration.ofSeconds(1));
      decide(store, charge("a", "1 per second", subject(0), 1));
      decide(store, charge("a", "1 per second", subject(1), 1));
      assertThat(log.records()).as("a minute later").hasSize(3);
    }
  }

  @Test
  void a_full_map_still_serves_the_subjects_it_holds() {
    LocalLimitStore store = store(2);
    Charge held = charge("a", "3 per day", subject(1), 1);
    decide(store, held);
    decide(store, charge("a", "3 per day", subject(2), 3));
    decide(store, charge("a", "3 per day", subject(3), 3));
    assertThat(admittedOf(10, store, held)).isEqualTo(2);
  }

  @Test
  void an_entry_leaves_when_it_is_full_again() {
    LocalLimitStore store = store(1_000);
    for (int i = 0; i < 500; i++) {
      decide(store, charge("bucket", "1 per second", subject(i), 1));
      decide(store, charge("window", "1 per second window", subject(i), 1));
    }
    assertThat(store.size()).isEqualTo(1_000);
    time.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 500; i++) {
      decide(store, charge("other", "1 per second", subject(0), 1));
    }
    assertThat(store.size()).isLessThanOrEqualTo(2);
  }

  @Test
  void an_entry_that_is_full_stays_for_a_second_unless_its_room_is_wanted() {
    LocalLimitStore store = store(1_000);
    decide(store, charge("quick", "1000 per second", subject(0), 1));
    time.advance(Duration.ofMillis(999));
    decide(store, charge("other", "1000 per second", subject(1), 1));
    assertThat(store.size()).isEqualTo(2);
    time.advance(Duration.ofMillis(1));
    decide(store, charge("other", "1000 per second", subject(1), 1));
    assertThat(store.size()).isEqualTo(1);

    LocalLimitStore small = store(1);
    for (int i = 0; i < 5; i++) {
      decide(small, charge("quick", "1000 per second", subject(i), 1));
      time.advance(Duration.ofMillis(1));
      assertThat(small.size()).isEqualTo(1);
    }
  }

  @Test
  void room_is_made_for_newcomers_as_soon_as_there_is_any() {
    LocalLimitStore store = store(2);
    for (int i = 0; i < 3; i++) {
      assertThat(decide(store, charge("quick", "1 per second", subject(i), 1)).allowed()).isTrue();
    }
    assertThat(decide(store, charge("quick", "1 per second", subject(3), 1)).allowed()).isFalse();

    time.advance(Duration.ofSeconds(1));
    assertThat(decide(store, charge("quick", "1 per second", subject(4), 1)).allowed()).isTrue();
    assertThat(decide(store, charge("quick", "1 per second", subject(5), 1)).allowed()).isTrue();
  }

  @Test
  void an_entry_that_an_adjustment_has_made_full_leaves_before_it_was_expected_to() {
    for (String limit : LASTING) {
      assertLeavesAfter(limit, granted -> new Adjustment.Refund(granted.receipt()));
      assertLeavesAfter(limit, granted -> new Adjustment.Reset(counterOf(granted)));
    }
    for (String limit : LASTING.subList(0, 4)) {
      assertLeavesAfter(limit, granted -> new Adjustment.Reward(counterOf(granted), 9));
      assertLeavesAfter(limit, granted -> new Adjustment.Reconcile(granted.receipt(), 0));
    }
  }

  private void assertLeavesAfter(
      String limit, Function<Decision.Counted, Adjustment> adjustmentOf) {
    LocalLimitStore store = store(1_000);
    Charge other = charge("other", "1 per day", Subject.global(), 1);
    Decision.Counted granted = decide(store, charge("limit", limit, subject(1), 4));
    time.advance(Duration.ofSeconds(1));
    decide(store, other);
    adjust(store, adjustmentOf.apply(granted));
    time.advance(Duration.ofSeconds(1));
    decide(store, other);
    decide(store, other);
    assertThat(store.size()).as("%s, what is left beside the other", limit).isEqualTo(1);
  }

  @Test
  void a_release_makes_room_for_newcomers_at_once() {
    LocalLimitStore store = store(4);
    List<Decision.Counted> held = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      held.add(decide(store, charge("limit", "4 concurrent, ttl 30s", subject(i), 4)));
    }
    assertThat(decide(store, charge("limit", "4 concurrent, ttl 30s", subject(4), 4)).allowed())
        .isTrue();
    for (int i = 0; i < 4; i++) {
      Charge newcomer = charge("limit", "4 concurrent, ttl 30s", subject(5 + i), 4);
      assertThat(decide(store, newcomer).allowed()).as("newcomer %s before", i).isFalse();
      refund(store, held.get(i));
      assertThat(decide(store, newcomer).allowed()).as("newcomer %s", i).isTrue();
    }
  }

  @Test
  void many_releases_and_refunds_leave_nothing_behind() {
    LocalLimitStore store = store(1_000);
    for (int i = 0; i < 10_000; i++) {
      String limit = LASTING.get(i % LASTING.size());
      Charge some = charge(limit, limit, subject(i % 7), 2);
      refund(store, decide(store, some));
      time.advance(Duration.ofMillis(250));
    }
    time.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 50; i++) {
      decide(store, charge("other", "1 per day", Subject.global(), 1));
    }
    assertThat(store.size()).isEqualTo(1);
  }

  private static Counter counterOf(Decision.Counted granted) {
    return granted.binding().counter();
  }

  @Test
  void who_was_held_back_in_the_overflow_is_not_freed_by_an_entry_of_its_own() {
    for (String limit : List.of("2 per day", "2 per day window")) {
      LocalLimitStore store = store(1);
      decide(store, charge("limit", "1 per second", subject(1), 1));
      Charge late = charge("limit", limit, subject(2), 1);
      assertThat(admittedOf(10, store, late)).isEqualTo(2);

      time.advance(Duration.ofSeconds(1));
      assertThat(decide(store, late).allowed()).isFalse();
      time.advance(Duration.ofHours(12));
      assertThat(decide(store, late).allowed()).isEqualTo(limit.equals("2 per day"));
    }
  }

  @Test
  void a_counter_that_subjects_share_is_never_blocked_for_one_of_them() {
    LocalLimitStore store = store(1);
    String limit = "5 per day sliding";
    orBlock(store, Duration.ofHours(1), charge("ban", limit, subject(1), 1));
    for (int i = 2; i < 9; i++) {
      assertThat(orBlock(store, Duration.ofHours(1), charge("ban", limit, subject(i), 5)).allowed())
          .isTrue();
      assertThat(decide(store, charge("ban", limit, subject(i + 1), 0)).allowed()).isTrue();
    }
    assertThat(orBlock(store, Duration.ofHours(1), charge("ban", limit, subject(1), 4)).allowed())
        .isFalse();
    assertThat(decide(store, charge("ban", limit, subject(1), 0)).allowed()).isFalse();
  }

  @Test
  void one_request_of_several_subjects_takes_what_all_of_them_take_from_the_overflow() {
    LocalLimitStore store = store(1);
    decide(store, charge("limit", "5 per day", subject(1), 1));
    Charge here = charge("limit", "5 per day", subject(2), 2);
    Charge there = charge("limit", "5 per day", subject(3), 2);

    assertThat(decide(store, here, there).verdicts().get(0).remaining()).isEqualTo(1);
    assertThat(decide(store, here, there).allowed()).isFalse();
    assertThat(decide(store, charge("limit", "5 per day", subject(4), 1)).allowed()).isTrue();
  }

  @Test
  void what_the_overflow_granted_is_not_given_back() {
    LocalLimitStore store = store(1);
    decide(store, charge("limit", "5 per day", subject(1), 5));
    Decision.Counted granted = decide(store, charge("limit", "5 per day", subject(2), 5));
    refund(store, granted);
    assertThat(decide(store, charge("limit", "5 per day", subject(3), 1)).allowed()).isFalse();
  }

  @Test
  void blocks_that_have_ended_make_room_while_another_store_decides() throws Exception {
    LocalLimitStore store = store(10);
    store.suspend();
    for (int i = 0; i < 10; i++) {
      adjust(store, tenMinutes(i));
    }
    assertThatThrownBy(() -> store.adjust(tenMinutes(10), Deadline.after(Duration.ofSeconds(1))))
        .isInstanceOf(StoreUnavailableException.class);

    time.advance(Duration.ofMinutes(11));
    for (int i = 10; i < 20; i++) {
      adjust(store, tenMinutes(i));
    }
    assertThat(store.size()).isEqualTo(10);
  }

  private static Adjustment tenMinutes(int number) {
    Counter counter = charge("limit", "5 per second", subject(number), 1).counter();
    return new Adjustment.Block(counter, Duration.ofMinutes(10));
  }

  @Test
  void a_counter_that_is_unblocked_makes_room() {
    LocalLimitStore store = store(1);
    Charge blocked = charge("limit", "5 per second", subject(1), 1);
    Charge other = charge("limit", "5 per second", subject(2), 1);
    adjust(store, new Adjustment.Block(blocked.counter(), Duration.ofHours(1)));
    adjust(store, new Adjustment.Unblock(other.counter()));
    assertThat(decide(store, blocked).allowed()).isFalse();
    assertThat(decide(store, other).allowed()).isTrue();
    assertThat(store.overflowed()).isEqualTo(Map.of("limit", 1L));
    adjust(store, new Adjustment.Unblock(blocked.counter()));
    time.advance(Duration.ofSeconds(1));
    assertThat(decide(store, other).allowed()).isTrue();
    assertThat(store.overflowed()).isEqualTo(Map.of("limit", 1L));
  }

  @Test
  void a_blocked_counter_keeps_its_place_until_the_block_ends() {
    LocalLimitStore store = store(1);
    Charge blocked = charge("limit", "5 per second", subject(1), 1);
    adjust(store, new Adjustment.Block(blocked.counter(), Duration.ofHours(1)));
    for (int i = 0; i < 60; i++) {
      decide(store, charge("limit", "5 per second", subject(2), 1));
      assertThat(decide(store, blocked).allowed()).isFalse();
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(decide(store, blocked).allowed()).isTrue();
    time.advance(Duration.ofSeconds(1));
    decide(store, charge("limit", "5 per second", subject(2), 1));
    assertThat(store.size()).isEqualTo(1);
  }

  @Test
  void a_cap_that_has_become_small_leaves_each_limit_one_counter_in_each_segment() {
    AtomicInteger cap = new AtomicInteger(4_096);
    LocalLimitStore store =
        LocalLimitStore.of(
            LocalOptions.of()
                .withTime(time, time::instant)
                .withMaxCounters(cap::get)
                .withLimits(() -> 1));
    cap.set(8);
    for (int i = 0; i < 1_000; i++) {
      decide(store, charge("limit", "5 per day", subject(i), 1));
    }
    assertThat(store.size()).isEqualTo(16 + 1);
  }

  @Test
  void denied_newcomers_take_no_room() {
    LocalLimitStore store = store(4);
    for (int i = 0; i < 100; i++) {
      decide(store, charge("limit", "5 per day", subject(i), 6));
    }
    for (int i = 100; i < 104; i++) {
      assertThat(decide(store, charge("limit", "5 per day", subject(i), 5)).allowed()).isTrue();
    }
    assertThat(decide(store, charge("limit", "5 per day", subject(104), 5)).allowed()).isTrue();
    assertThat(decide(store, charge("limit", "5 per day", subject(105), 5)).allowed()).isFalse();
  }

  @Test
  void a_closed_store_holds_nothing() {
    LocalLimitStore store = store(1);
    decide(store, charge("limit", "5 per day", subject(1), 5));
    decide(store, charge("limit", "5 per day", subject(2), 5));
    store.close();
    assertThat(store.size()).isZero();
  }

  @Test
  void the_cap_is_checked() {
    for (int cap : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store(cap))
          .withMessage("maxCounters: " + cap + " (expected: from 1 to 2^30)");
    }
  }
}
