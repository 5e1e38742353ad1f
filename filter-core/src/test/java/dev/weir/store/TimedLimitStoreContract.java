package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store as time passes, for stores into which time can be injected.
 *
 * <p>To run it, extend it, and {@link #open} a store that has the whole limit as its share and the
 * test's own time. Then {@link #advance} that time. Promises hold on the store's clock, which has a
 * tick of a microsecond or less.
 */
public abstract class TimedLimitStoreContract extends LimitStoreContract {

  private static final Duration TICK = Duration.ofNanos(1_000);

  /** Lets so much time pass for the store: whole microseconds. */
  protected abstract void advance(Duration time);

  /** Sets the date that the store's calendar shows, without time passing otherwise. */
  protected abstract void setDate(String instant);

  @Override
  protected final void letPass(Duration time) {
    advance(time);
  }

  @Test
  void a_bucket_refills_continuously() {
    String limit = "10 per second";
    decide(store, many(limit, 10));
    assertThat(decide(store, one(limit)).allowed()).isFalse();
    for (int i = 0; i < 50; i++) {
      advance(Duration.ofMillis(99));
      assertThat(decide(store, one(limit)).allowed()).isFalse();
      advance(Duration.ofMillis(1));
      assertThat(decide(store, one(limit)).allowed()).isTrue();
    }
  }

  @Test
  void a_burst_smaller_than_the_rate_sustains_the_rate() {
    Charge one = charge("small", "10 per second, burst 5", alice, 1);
    int admitted = admittedOf(100, store, one);
    for (int tenths = 0; tenths < 100; tenths++) {
      advance(Duration.ofMillis(100));
      admitted += admittedOf(100, store, one);
    }
    assertThat(admitted).isEqualTo(5 + 100);
  }

  @Test
  void a_full_burst_across_a_tick_of_the_second_is_no_more_than_burst_and_rate_allow() {
    advance(Duration.ofMillis(999));
    Charge one = charge("hundred", "100 per second", alice, 1);
    int admitted = admittedOf(1_000, store, one);
    advance(Duration.ofMillis(2));
    admitted += admittedOf(1_000, store, one);
    assertThat(admitted).isEqualTo(100);
  }

  @Test
  void retry_after_suffices_and_a_tick_less_does_not() {
    for (String limit :
        List.of(
            "3 per second, burst 7",
            "7 per 30 days",
            "999_983 per 1_000_003us, burst 13",
            "1 per 30 days, burst 4",
            "5 per 700us",
            "5 per 13 seconds window",
            "5 per 13 seconds sliding",
            "7 per second sliding, sub-windows 3",
            "5 per hour window Asia/Kolkata")) {
      retryAfterIsTight(limit);
    }
  }

  private void retryAfterIsTight(String limit) {
    long capacity = Limit.parse(limit).capacity();
    for (long permits : new long[] {1, 2, capacity}) {
      Charge some = charge(limit, limit, alice, permits);
      Charge all = charge(limit, limit, alice, capacity);
      assertThat(decide(store, all).allowed()).as("%s: full", limit).isTrue();
      advance(TICK);
      admittedOf(100, store, charge(limit, limit, alice, 1));
      Duration wait = upToTicks(retryAfter(decide(store, some)));
      advance(wait.minus(TICK));
      assertThat(decide(store, some).allowed()).as("%s: %d, too early", limit, permits).isFalse();
      advance(TICK);
      assertThat(decide(store, some).allowed()).as("%s: %d, in time", limit, permits).isTrue();
      advance(Limit.parse(limit).timeToFull());
    }
  }

  @Test
  void reset_after_fills_the_bucket_and_a_tick_less_does_not() {
    Duration reset =
        upToTicks(decide(store, many("3 per second, burst 7", 5)).binding().resetAfter());
    advance(reset.minus(TICK));
    assertThat(decide(store, many("3 per second, burst 7", 7)).allowed()).isFalse();
    advance(TICK);
    assertThat(decide(store, many("3 per second, burst 7", 7)).allowed()).isTrue();
  }

  @Test
  void a_bucket_does_not_drift_in_thirty_days() {
    Charge one = charge("steady", "3 per second", alice, 3);
    decide(store, one);
    for (int i = 0; i < 2_592; i++) {
      advance(Duration.ofSeconds(999).plusNanos(999_999_000));
      assertThat(decide(store, one).allowed()).isTrue();
      assertThat(decide(store, charge("steady", "3 per second", alice, 1)).allowed()).isFalse();
    }
  }

  @Test
  void the_slowest_rate_grants_one_in_thirty_days() {
    Charge one = charge("slowest", "1 per 30 days", alice, 1);
    for (int months = 0; months < 24; months++) {
      assertThat(admittedOf(2, store, one)).isEqualTo(1);
      advance(Duration.ofDays(30).minus(TICK));
      assertThat(decide(store, one).allowed()).isFalse();
      advance(TICK);
    }
  }

  @Test
  void the_fastest_rate_grants_ten_in_a_microsecond() {
    Charge all = charge("fastest", "10_000_000 per second, burst 1000", alice, 1_000);
    assertThat(decide(store, all).allowed()).isTrue();
    for (int micros = 1; micros <= 100; micros++) {
      advance(TICK);
      assertThat(
              decide(store, charge("fastest", "10_000_000 per second, burst 1000", alice, 10))
                  .allowed())
          .isTrue();
      assertThat(
              decide(store, charge("fastest", "10_000_000 per second, burst 1000", alice, 1))
                  .allowed())
          .isFalse();
    }
  }

  @Test
  void a_window_starts_at_its_first_request() {
    Charge one = charge("window", "3 per 10s window", alice, 1);
    advance(Duration.ofMillis(7_777));
    assertThat(admittedOf(10, store, one)).isEqualTo(3);
    advance(Duration.ofSeconds(10).minus(TICK));
    assertThat(admittedOf(10, store, one)).isZero();
    advance(TICK.plusMillis(3_333));
    assertThat(admittedOf(10, store, one)).isEqualTo(3);
    advance(Duration.ofSeconds(10).minus(TICK));
    assertThat(admittedOf(10, store, one)).isZero();
  }

  @Test
  void a_sliding_window_has_no_boundary_at_which_two_quotas_pass() {
    Charge one = charge("sliding", "10 per 10s sliding", alice, 1);
    Deque<Integer> lastTenSeconds = new ArrayDeque<>();
    int admitted = 0;
    for (int halfSeconds = 0; halfSeconds < 200; halfSeconds++) {
      lastTenSeconds.addLast(admittedOf(halfSeconds % 7, store, one));
      admitted += lastTenSeconds.getLast();
      if (lastTenSeconds.size() > 20) {
        lastTenSeconds.removeFirst();
      }
      assertThat(lastTenSeconds.stream().mapToInt(Integer::intValue).sum()).isBetween(0, 10);
      advance(Duration.ofMillis(500));
    }
    assertThat(admitted).isGreaterThanOrEqualTo(10 * (100 / 11));
  }

  @Test
  void a_window_of_the_calendar_ends_with_the_calendars() {
    setDate("2026-11-20T22:59:59.000000Z");
    Charge one = charge("daily", "3 per day window Europe/Berlin", alice, 1);
    assertThat(admittedOf(10, store, one)).isEqualTo(3);
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofSeconds(1));
    advance(Duration.ofSeconds(1).minus(TICK));
    assertThat(admittedOf(10, store, one)).isZero();
    advance(TICK);
    assertThat(admittedOf(10, store, one)).isEqualTo(3);
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void a_day_follows_daylight_saving() {
    setDate("2026-03-28T23:00:00Z");
    Charge one = charge("short", "1 per day window Europe/Berlin", alice, 1);
    decide(store, one);
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofHours(23));
    setDate("2026-10-24T22:00:00Z");
    Charge other = charge("long", "1 per day window Europe/Berlin", alice, 1);
    decide(store, other);
    assertThat(retryAfter(decide(store, other))).isEqualTo(Duration.ofHours(25));
  }

  @Test
  void a_window_takes_back_only_what_it_granted_itself() {
    for (String limit :
        List.of("5 per 10s window", "5 per minute window UTC", "5 per 10s sliding")) {
      Charge all = charge(limit, limit, alice, 5);
      Decision.Counted earlier = decide(store, all);
      advance(Limit.parse(limit).timeToFull());
      decide(store, all);
      refund(store, earlier);
      assertThat(decide(store, charge(limit, limit, alice, 1)).allowed()).as(limit).isFalse();
    }
  }

  private static Duration upToTicks(Duration time) {
    long ticks = -Math.floorDiv(-time.toNanos(), TICK.toNanos());
    return TICK.multipliedBy(ticks);
  }
}
