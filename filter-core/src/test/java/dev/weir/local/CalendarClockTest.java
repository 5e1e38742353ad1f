package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualTime;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A calendar's clock may be set; that mints little and locks for no longer than a window. */
class CalendarClockTest {

  private final ManualTime time = new ManualTime();
  private final LocalLimitStore store =
      LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  private final Charge one = charge("limit", "4 per hour window UTC", Subject.of("alice"), 1);

  @Test
  void a_clock_set_back_within_the_window_does_not_begin_it_again() {
    time.setDate(Instant.parse("2026-11-20T10:50:00Z"));
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    time.setDate(Instant.parse("2026-11-20T10:30:00Z"));
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofMinutes(10));

    time.advance(Duration.ofMinutes(10));
    assertThat(decide(store, one).allowed()).isFalse();
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofMinutes(20));
    time.advance(Duration.ofMinutes(20));
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
  }

  @Test
  void a_clock_set_back_by_days_locks_for_no_longer_than_the_window() {
    time.setDate(Instant.parse("2026-11-20T10:50:00Z"));
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    time.setDate(Instant.parse("2026-11-11T11:11:00Z"));
    assertThat(decide(store, one).allowed()).isFalse();
    time.advance(Duration.ofMinutes(10));
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    assertThat(retryAfter(decide(store, one))).isEqualTo(Duration.ofMinutes(39));
  }

  @Test
  void a_clock_set_forward_begins_one_window_early_and_no_more() {
    time.setDate(Instant.parse("2026-11-20T10:50:00Z"));
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      time.setDate(Instant.parse("2026-12-24T18:30:00Z"));
      admitted += admittedOf(9, store, one);
      time.setDate(Instant.parse("2026-11-20T10:50:00Z"));
      admitted += admittedOf(9, store, one);
    }
    assertThat(admitted).isEqualTo(4);
    time.advance(Duration.ofMinutes(30));
    assertThat(admittedOf(9, store, one)).isEqualTo(4);
  }

  @Test
  void what_has_no_calendar_does_not_notice() {
    Charge bucket = charge("bucket", "4 per hour", Subject.of("alice"), 1);
    Charge window = charge("window", "4 per hour window", Subject.of("alice"), 1);
    assertThat(admittedOf(9, store, bucket)).isEqualTo(4);
    assertThat(admittedOf(9, store, window)).isEqualTo(4);
    for (String date : new String[] {"2030-01-01T00:00:00Z", "1970-01-01T00:00:00Z"}) {
      time.setDate(Instant.parse(date));
      assertThat(retryAfter(decide(store, bucket))).isEqualTo(Duration.ofMinutes(15));
      assertThat(retryAfter(decide(store, window))).isEqualTo(Duration.ofHours(1));
    }
  }
}
