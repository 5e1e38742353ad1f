package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.FixedWindow.CalendarWindow.Bounds;
import dev.weir.limit.FixedWindow.CalendarWindow.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of a calendar follow its time zone, and cover all time without gap or overlap. */
class CalendarWindowTest {

  @ParameterizedTest
  @CsvSource({
    // unit, zone, instant, start, end
    "SECOND, UTC,                 2026-11-20T10:00:00.999Z, 2026-11-20T10:00:00Z, 2026-11-20T10:00:01Z",
    "MINUTE, UTC,                 2026-11-20T10:00:59.999Z, 2026-11-20T10:00:00Z, 2026-11-20T10:01:00Z",
    "HOUR,   Europe/Berlin,       2026-11-20T10:30:00Z,     2026-11-20T10:00:00Z, 2026-11-20T11:00:00Z",
    "HOUR,   Asia/Kolkata,        2026-11-20T10:00:00Z,     2026-11-20T09:30:00Z, 2026-11-20T10:30:00Z",
    "HOUR,   Asia/Kathmandu,      2026-11-20T10:00:00Z,     2026-11-20T09:15:00Z, 2026-11-20T10:15:00Z",
    "DAY,    Asia/Kolkata,        2026-11-20T18:29:59Z,     2026-11-19T18:30:00Z, 2026-11-20T18:30:00Z",
    "DAY,    UTC,                 2026-11-20T00:00:00Z,     2026-11-20T00:00:00Z, 2026-11-21T00:00:00Z",
    "DAY,    Pacific/Kiritimati,  2026-11-20T10:00:00Z,     2026-11-20T10:00:00Z, 2026-11-21T10:00:00Z",
    // a week starts on Monday, a month on the 1st, leap day and turn of the year included
    "WEEK,   UTC,                 2026-11-22T23:59:59Z,     2026-11-16T00:00:00Z, 2026-11-23T00:00:00Z",
    "WEEK,   UTC,                 2026-11-23T00:00:00Z,     2026-11-23T00:00:00Z, 2026-11-30T00:00:00Z",
    "WEEK,   Europe/Berlin,       2027-01-01T12:00:00Z,     2026-12-27T23:00:00Z, 2027-01-03T23:00:00Z",
    "MONTH,  Europe/Berlin,       2026-11-20T10:00:00Z,     2026-10-31T23:00:00Z, 2026-11-30T23:00:00Z",
    "MONTH,  UTC,                 2028-02-29T23:59:59Z,     2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
    // clocks go forward and back: 23 and 25 hours, and weeks and months with them
    "DAY,    Europe/Berlin,       2026-03-29T12:00:00Z,     2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "DAY,    Europe/Berlin,       2026-10-25T12:00:00Z,     2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    "WEEK,   Europe/Berlin,       2026-03-29T12:00:00Z,     2026-03-22T23:00:00Z, 2026-03-29T22:00:00Z",
    "MONTH,  America/New_York,    2026-03-15T12:00:00Z,     2026-03-01T05:00:00Z, 2026-04-01T04:00:00Z",
    "DAY,    Australia/Lord_Howe, 2026-04-05T00:00:00Z,     2026-04-04T13:00:00Z, 2026-04-05T13:30:00Z",
    // where midnight does not exist, the day starts at one; where it comes twice, at the first
    "DAY,    America/Sao_Paulo,   2018-11-04T12:00:00Z,     2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z",
    "DAY,    America/Sao_Paulo,   2018-02-18T02:30:00Z,     2018-02-17T02:00:00Z, 2018-02-18T03:00:00Z",
    "DAY,    America/Havana,      2026-11-01T04:30:00Z,     2026-11-01T04:00:00Z, 2026-11-02T05:00:00Z",
    // clocks went back from 00:01 to 23:01: the new day had begun, and goes on
    "DAY,    America/St_Johns,    2006-10-29T02:31:00Z,     2006-10-29T02:30:00Z, 2006-10-30T03:30:00Z",
    // Samoa had no 30 December
    "DAY,    Pacific/Apia,        2011-12-30T09:59:59Z,     2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
    "DAY,    Pacific/Apia,        2011-12-30T10:00:00Z,     2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
    "MONTH,  Pacific/Apia,        2011-12-15T00:00:00Z,     2011-12-01T10:00:00Z, 2011-12-31T10:00:00Z",
    // clocks move by half an hour: the hour is cut where they do
    "HOUR,   Australia/Lord_Howe, 2026-04-04T14:45:00Z,     2026-04-04T14:00:00Z, 2026-04-04T15:00:00Z",
    "HOUR,   Australia/Lord_Howe, 2026-10-03T15:15:00Z,     2026-10-03T14:30:00Z, 2026-10-03T15:30:00Z",
    "HOUR,   Europe/Berlin,       2026-10-25T00:30:00Z,     2026-10-25T00:00:00Z, 2026-10-25T01:00:00Z",
    "HOUR,   Europe/Berlin,       2026-10-25T01:00:00Z,     2026-10-25T01:00:00Z, 2026-10-25T02:00:00Z",
  })
  void a_window_holds_its_instant(
      Unit unit, ZoneId zone, Instant instant, Instant start, Instant end) {
    assertThat(new CalendarWindow(unit, zone).at(instant)).isEqualTo(new Bounds(start, end));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "Europe/Berlin",
        "Europe/London",
        "Europe/Dublin",
        "America/New_York",
        "America/Sao_Paulo",
        "America/St_Johns",
        "America/Havana",
        "America/Asuncion",
        "America/Nuuk",
        "America/Juneau",
        "Australia/Lord_Howe",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Asia/Tehran",
        "Asia/Gaza",
        "Asia/Manila",
        "Asia/Beirut",
        "Africa/Casablanca",
        "Africa/Monrovia",
        "Antarctica/Troll",
        "Pacific/Apia",
        "Pacific/Kwajalein",
        "Pacific/Chatham",
        "+05:45",
        "UTC-03:30"
      })
  void windows_cover_all_time_without_gap_or_overlap(ZoneId zone) {
    SplittableRandom random = new SplittableRandom(zone.getId().hashCode());
    List<Instant> instants = interesting(zone, random);
    for (Unit unit : Unit.values()) {
      CalendarWindow window = new CalendarWindow(unit, zone);
      for (Instant instant : instants) {
        checkPartition(window, instant);
      }
    }
  }

  /** Every change of offset in its surroundings, and some instants of no interest. */
  private static List<Instant> interesting(ZoneId zone, SplittableRandom random) {
    List<Instant> instants = new ArrayList<>();
    Instant at = Instant.parse("1840-01-01T00:00:00Z");
    Instant last = Instant.parse("2040-01-01T00:00:00Z");
    ZoneOffsetTransition change = zone.getRules().nextTransition(at);
    while (change != null && change.getInstant().isBefore(last)) {
      for (int i = 0; i < 4; i++) {
        instants.add(change.getInstant().plusSeconds(random.nextLong(-100_000, 100_000)));
      }
      instants.add(change.getInstant());
      instants.add(change.getInstant().minusNanos(1));
      instants.add(change.getInstant().plusSeconds(60));
      change = zone.getRules().nextTransition(change.getInstant());
    }
    for (int i = 0; i < 200; i++) {
      instants.add(at.plusMillis(random.nextLong(200L * 365 * 86_400_000)));
    }
    return instants;
  }

  private static void checkPartition(CalendarWindow window, Instant instant) {
    Bounds bounds = window.at(instant);
    String as = window + " at " + instant + ": " + bounds;
    assertThat(bounds.start()).as(as).isBeforeOrEqualTo(instant);
    assertThat(bounds.end()).as(as).isAfter(instant);
    assertThat(Duration.between(bounds.start(), bounds.end()))
        .as(as)
        .isLessThanOrEqualTo(window.longest());
    assertThat(window.at(bounds.start())).as(as).isEqualTo(bounds);
    assertThat(window.at(bounds.end().minusNanos(1))).as(as).isEqualTo(bounds);
    assertThat(window.at(bounds.end()).start()).as(as).isEqualTo(bounds.end());
    assertThat(window.at(bounds.start().minusNanos(1)).end()).as(as).isEqualTo(bounds.start());
  }

  @Test
  void hours_are_on_the_hour_after_every_change_of_offset() {
    ZoneId zone = ZoneId.of("Australia/Lord_Howe");
    CalendarWindow hours = new CalendarWindow(Unit.HOUR, zone);
    Instant at = Instant.parse("2026-04-04T12:00:00Z");
    for (int i = 0; i < 10; i++) {
      Bounds bounds = hours.at(at);
      LocalDateTime end = LocalDateTime.ofInstant(bounds.end(), zone);
      boolean isChange = zone.getRules().getTransition(end) != null || isCut(zone, bounds.end());
      assertThat(end.getMinute() == 0 || isChange).as(bounds.toString()).isTrue();
      at = bounds.end();
    }
  }

  private static boolean isCut(ZoneId zone, Instant instant) {
    ZoneOffsetTransition change = zone.getRules().previousTransition(instant.plusNanos(1));
    return change != null && change.getInstant().equals(instant);
  }

  @Test
  void a_window_prints_as_it_is_written() {
    assertThat(new CalendarWindow(Unit.DAY, ZoneId.of("Europe/Berlin")))
        .hasToString("day window Europe/Berlin");
  }
}
