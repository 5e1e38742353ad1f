package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.adjust;
import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.FailoverLimitStore;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The local clock runs in outages and stands between them, so that flapping refills nothing. */
class OutageClockTest {

  private final ManualTime time = new ManualTime();
  private final LocalLimitStore store =
      LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  private final Subject alice = Subject.of("alice");

  @Test
  void the_clock_of_a_store_that_never_stood_by_runs_from_the_start() {
    Charge one = charge("limit", "1 per second", alice, 1);
    assertThat(admittedOf(9, store, one)).isEqualTo(1);
    time.advance(Duration.ofSeconds(1));
    store.resume();
    assertThat(admittedOf(9, store, one)).isEqualTo(1);
  }

  @Test
  void no_time_passes_while_another_store_decides() {
    for (String limit : List.of("4 per minute", "4 per minute window")) {
      Charge one = charge("limit " + limit, limit, alice, 1);
      assertThat(admittedOf(9, store, one)).isEqualTo(4);
      time.advance(Duration.ofSeconds(10));
      Duration left = retryAfter(decide(store, one));

      store.suspend();
      time.advance(Duration.ofSeconds(59));
      assertThat(retryAfter(decide(store, one))).isEqualTo(left);
      store.resume();
      assertThat(retryAfter(decide(store, one))).isEqualTo(left);
      time.advance(left);
      assertThat(decide(store, one).allowed()).isTrue();
    }
  }

  @Test
  void after_a_gap_as_long_as_the_time_to_full_what_follows_is_a_new_outage() {
    Charge minute = charge("minute", "4 per minute", alice, 1);
    Charge minuteWindow = charge("minute window", "4 per minute window", alice, 1);
    Charge hour = charge("hour", "4 per hour", alice, 1);
    Charge hourWindow = charge("hour window", "4 per hour window", alice, 1);
    for (Charge one : List.of(minute, minuteWindow, hour, hourWindow)) {
      assertThat(admittedOf(9, store, one)).isEqualTo(4);
    }
    store.suspend();
    time.advance(Duration.ofSeconds(60));
    store.resume();

    assertThat(admittedOf(9, store, minute)).isEqualTo(4);
    assertThat(admittedOf(9, store, minuteWindow)).isEqualTo(4);
    assertThat(admittedOf(9, store, hour)).isZero();
    assertThat(admittedOf(9, store, hourWindow)).isZero();
  }

  /** The entries of a shard are gone through under its lock, so once is enough. */
  @Test
  void each_counter_of_an_outage_that_is_over_is_opened_anew_once() {
    int counters = 2_000;
    Limit limit = Limit.parse("4 per minute sliding");
    LocalLimitStore oneShard =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant).withMaxCounters(4_000));
    for (int i = 0; i < counters; i++) {
      decide(oneShard, charge("limit", "4 per minute sliding", Subject.of("user " + i), 1));
    }
    oneShard.suspend();
    time.advance(Duration.ofMinutes(2));
    oneShard.resume();

    CounterState[] opened = new CounterState[counters];
    CounterState unused = CounterState.of(limit, 1, time::instant);
    long once = allocated(() -> Arrays.setAll(opened, i -> unused.unused()));
    Charge next = charge("limit", "4 per minute sliding", alice, 1);
    assertThat(allocated(() -> decide(oneShard, next))).isBetween(once / 2, once * 3 / 2);
    assertThat(oneShard.size()).isEqualTo(1);
  }

  private static long allocated(Runnable action) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    action.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void gaps_that_are_broken_do_not_add_up() {
    Charge one = charge("limit", "4 per minute", alice, 1);
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    for (int i = 0; i < 100; i++) {
      store.suspend();
      time.advance(Duration.ofSeconds(59));
      store.resume();
      assertThat(decide(store, one).allowed()).isFalse();
    }
  }

  @Test
  void being_told_twice_is_being_told_once() {
    Charge one = charge("limit", "4 per minute", alice, 1);
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    store.suspend();
    time.advance(Duration.ofSeconds(40));
    store.suspend();
    time.advance(Duration.ofSeconds(20));
    store.resume();
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    time.advance(Duration.ofSeconds(15));
    store.resume();
    assertThat(admittedOf(9, store, one)).isEqualTo(1);
  }

  @Test
  void what_is_forgotten_leaves_the_memory_the_overflow_too() {
    LocalLimitStore small =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant).withMaxCounters(2));
    for (int i = 0; i < 9; i++) {
      decide(small, charge("limit", "4 per minute", Subject.of("user " + i), 4));
    }
    assertThat(small.size()).isEqualTo(3);
    small.suspend();
    time.advance(Duration.ofMinutes(1));
    small.resume();
    assertThat(admittedOf(9, small, charge("limit", "4 per minute", alice, 1))).isEqualTo(4);
    assertThat(small.size()).isEqualTo(1);
  }

  @Test
  void a_store_that_flaps_adds_one_burst_and_the_rate_while_it_was_gone() {
    for (String limit : List.of("10 per minute", "10 per minute window")) {
      SwitchableStore primary =
          new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
      FailoverLimitStore failover =
          FailoverLimitStore.of(
              primary,
              LocalLimitStore.of(LocalOptions.of().withNodes(2).withTime(time, time::instant)),
              time);
      Charge one = charge("limit", limit, alice, 1);
      int local = 0;
      for (int flap = 0; flap < 24; flap++) {
        primary.switchOff();
        for (int tenths = 0; tenths < 11; tenths++) {
          local += admittedOf(99, failover, one);
          time.advance(Duration.ofMillis(100));
        }
        primary.switchOn();
        time.advance(Duration.ofMillis(1_400));
        decide(failover, one);
        time.advance(Duration.ofMillis(1_700));
      }
      primary.switchOff();
      local += admittedOf(99, failover, one);
      // outages of a minute in all, each until 1.5 s after its last failure: a burst of 5, and 5
      // per minute
      assertThat(local).as(limit).isEqualTo(10);
    }
  }

  @Test
  void a_window_of_the_calendar_does_not_wait() {
    time.setDate(Instant.parse("2026-11-20T23:59:00Z"));
    Charge one = charge("limit", "4 per day window UTC", alice, 1);
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    store.suspend();
    time.advance(Duration.ofSeconds(59));
    store.resume();
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofSeconds(1));
    store.suspend();
    time.advance(Duration.ofSeconds(1));
    store.resume();
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
  }

  @Test
  void a_block_does_not_wait_and_is_not_forgotten() {
    for (String limit : List.of("4 per minute", "4 per minute window", "4 per minute sliding")) {
      Charge one = charge(limit, limit, alice, 1);
      decide(store, charge(limit, limit, alice, 4));
      adjust(store, new Adjustment.Block(one.counter(), Duration.ofHours(2)));
      store.suspend();
      time.advance(Duration.ofHours(1));
      store.resume();
      assertThat(retryAfter(decide(store, one))).as(limit).isEqualTo(Duration.ofHours(1));
      store.suspend();
      time.advance(Duration.ofHours(1));
      store.resume();
      assertThat(admittedOf(9, store, one)).as(limit).isEqualTo(4);
    }
  }

  @Test
  void a_window_that_was_forgotten_takes_nothing_back_into_its_successor() {
    Charge all = charge("limit", "4 per minute window", alice, 4);
    Decision.Counted earlier = decide(store, all);
    store.suspend();
    time.advance(Duration.ofMinutes(1));
    store.resume();
    assertThat(decide(store, all).source()).isEqualTo(Source.LOCAL);
    refund(store, earlier);
    assertThat(decide(store, charge("limit", "4 per minute window", alice, 1)).allowed()).isFalse();
  }
}
