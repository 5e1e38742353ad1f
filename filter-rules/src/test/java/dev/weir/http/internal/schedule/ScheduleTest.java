package dev.weir.http.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When it is time, by the wall clock of a zone. */
class ScheduleTest {

  private Instant now = Instant.EPOCH;

  @ParameterizedTest
  @CsvSource({
    "Fri, 2026-11-27T06:59:59.999+01:00, false",
    "Fri, 2026-11-27T07:00:00+01:00, true",
    "Fri, 2026-11-27T18:59:59.999+01:00, true",
    "Fri, 2026-11-27T19:00:00+01:00, false",
    "Sat, 2026-11-28T12:00:00+01:00, false",
    "Mon in UTC still Sunday, 2026-11-29T23:30:00Z, false",
    "Mon, 2026-11-30T07:00:00+01:00, true"
  })
  void it_is_time_on_its_days_alone(String day, String at, boolean isTime) {
    assertThat(at("Mon-Fri 07:00-19:00 Europe/Berlin", at)).as(day).isEqualTo(isTime);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-27T21:59:00+01:00, false",
    "2026-11-27T22:00:00+01:00, true",
    "2026-11-28T05:59:00+01:00, true",
    "2026-11-28T06:00:00+01:00, false",
    "2026-11-28T22:00:00+01:00, false",
    "2026-11-27T05:00:00+01:00, false"
  })
  void over_midnight_the_day_is_the_one_on_which_it_begins(String at, boolean isTime) {
    assertThat(at("Fri 22:00-06:00 Europe/Berlin", at)).isEqualTo(isTime);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-29T12:00:00Z, true",
    "2026-11-30T00:00:00Z, true",
    "2026-11-30T23:59:59Z, true",
    "2026-12-01T00:00:00Z, false",
    "2026-11-28T23:59:59Z, false"
  })
  void days_alone_are_whole_days_and_a_week_has_no_end(String at, boolean isTime) {
    assertThat(at("Sun-Mon UTC", at)).isEqualTo(isTime);
    assertThat(at("Sun-Mon 00:00-24:00 UTC", at)).isEqualTo(isTime);
    assertThat(at("sun, MON 00:00 - 24:00 UTC", at)).isEqualTo(isTime);
  }

  @Test
  void midnight_may_be_written_as_the_end_of_a_day_or_the_beginning_of_the_next() {
    for (String at : List.of("2026-11-27T23:59:00Z", "2026-11-28T00:00:00Z")) {
      assertThat(at("Fri 20:00-24:00 UTC", at)).isEqualTo(at("Fri 20:00-00:00 UTC", at));
    }
    assertThat(at("Fri 20:00-00:00 UTC", "2026-11-28T00:00:00Z")).isFalse();
  }

  @Test
  void it_is_time_in_any_of_several_ranges_each_in_its_zone() {
    now = Instant.parse("2026-11-27T12:30:00Z");
    Schedule schedule =
        schedule("09:00-12:00 Europe/Berlin", "13:00-17:00 Europe/Berlin", "04:30-05:00 UTC");
    assertThat(schedule.isActive()).as("13:30").isTrue();
    now = Instant.parse("2026-11-27T11:30:00Z");
    assertThat(schedule.isActive()).as("12:30").isFalse();
    now = Instant.parse("2026-11-28T04:45:00Z");
    assertThat(schedule.isActive()).as("05:45, and 04:45 in UTC").isTrue();
  }

  @Test
  void a_time_that_the_clock_skips_does_not_occur() {
    Schedule skipped = schedule("02:15-02:45 Europe/Berlin");
    for (int minute = 0; minute < 180; minute++) {
      now = Instant.parse("2027-03-28T00:00:00Z").plus(Duration.ofMinutes(minute));
      assertThat(skipped.isActive()).as("%s", now).isFalse();
    }
    now = Instant.parse("2027-03-29T00:15:00Z");
    assertThat(skipped.isActive()).as("on the next day").isTrue();
  }

  @Test
  void a_time_that_the_clock_repeats_occurs_twice() {
    Schedule repeated = schedule("02:15-02:45 Europe/Berlin");
    int minutes = 0;
    for (int minute = 0; minute < 180; minute++) {
      now = Instant.parse("2027-10-30T23:00:00Z").plus(Duration.ofMinutes(minute));
      minutes += repeated.isActive() ? 1 : 0;
    }
    assertThat(minutes).isEqualTo(60);
  }

  /** In each of them clocks change, or have changed, and in Lord Howe by half an hour. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
        "America/St_Johns"
      })
  void it_agrees_with_the_wall_clock_throughout_a_year_and_day_and_night_make_a_whole(String name) {
    ZoneId zone = ZoneId.of(name);
    Schedule day = schedule("Mon-Fri 01:30-19:00 " + zone, "Sat,Sun 02:15-20:00 " + zone);
    Schedule night =
        schedule(
            "Mon-Thu 19:00-01:30 " + zone,
            "Fri 19:00-02:15 " + zone,
            "Sat 20:00-02:15 " + zone,
            "Sun 20:00-01:30 " + zone);
    Instant end = Instant.parse("2028-01-01T00:00:00Z");
    for (now = Instant.parse("2027-01-01T00:00:00Z");
        now.isBefore(end);
        now = now.plus(Duration.ofMinutes(5))) {
      ZonedDateTime shown = now.atZone(zone);
      boolean isWorkday = shown.getDayOfWeek().compareTo(DayOfWeek.SATURDAY) < 0;
      LocalTime from = isWorkday ? LocalTime.of(1, 30) : LocalTime.of(2, 15);
      LocalTime to = isWorkday ? LocalTime.of(19, 0) : LocalTime.of(20, 0);
      boolean isDay = !shown.toLocalTime().isBefore(from) && shown.toLocalTime().isBefore(to);
      assertThat(day.isActive()).as("%s", shown).isEqualTo(isDay);
      assertThat(night.isActive()).as("%s", shown).isEqualTo(!isDay);
    }
  }

  @Test
  void a_clock_that_is_set_back_is_followed() {
    Schedule schedule = schedule("07:00-19:00 UTC");
    now = Instant.parse("2026-11-27T19:00:00Z");
    assertThat(schedule.isActive()).isFalse();
    now = Instant.parse("2026-11-27T18:59:59Z");
    assertThat(schedule.isActive()).isTrue();
    now = Instant.parse("2026-11-26T06:00:00Z");
    assertThat(schedule.isActive()).isFalse();
  }

  @Test
  void a_request_between_two_changes_allocates_nothing() {
    now = Instant.parse("2026-11-27T12:00:00Z");
    Schedule schedule = schedule("Mon-Fri 07:00-19:00 Europe/Berlin");
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 1_000; i++) {
      assertThat(schedule.isActive()).isTrue();
    }
    int active = 0;
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      active += schedule.isActive() ? 1 : 0;
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(active).isEqualTo(10_000);
    assertThat(allocated).isLessThan(10_000);
  }

  @Test
  void a_schedule_is_its_ranges() {
    Schedule written = schedule("Mon - Fri 7:00-19:00 Europe/Berlin");
    assertThat(written.texts()).containsExactly("Mon,Tue,Wed,Thu,Fri 07:00-19:00 Europe/Berlin");
    assertThat(Schedule.parse(written.texts())).isEqualTo(written).hasSameHashCodeAs(written);
    assertThat(written).isNotEqualTo(schedule("Mon-Fri 07:00-19:00 UTC"));
    assertThat(schedule("00:00-24:00 UTC")).hasToString("00:00-24:00 UTC");
  }

  private boolean at(String range, String instant) {
    now = ZonedDateTime.parse(instant).toInstant();
    return schedule(range).isActive();
  }

  private Schedule schedule(String... ranges) {
    return Schedule.parse(List.of(ranges), () -> now.toEpochMilli());
  }
}
