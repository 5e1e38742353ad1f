package dev.weir.http.internal.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A range of the day, on some days of the week, by the wall clock of a zone. Immutable.
 *
 * <p>It contains the instants at which that clock shows a time of the range. So a time that a
 * change of the clock skips does not occur, and one that it repeats occurs twice. Ranges that
 * follow one another on the clock never overlap, and leave no gap.
 *
 * @param days on which the range begins
 * @param from its first minute of the day, below 1440
 * @param to the minute after its last one; up to {@code from} if it ends on the next day, and
 *     otherwise up to 1440
 */
record TimeRange(Set<DayOfWeek> days, int from, int to, ZoneId zone) {

  static final int MINUTES_OF_DAY = 24 * 60;

  private static final int SECONDS_OF_DAY = MINUTES_OF_DAY * 60;

  TimeRange {
    days = Set.copyOf(days);
  }

  boolean contains(Instant instant) {
    LocalDateTime shown = LocalDateTime.ofInstant(instant, zone);
    int minute = shown.getHour() * 60 + shown.getMinute();
    boolean beginsToday = days.contains(shown.getDayOfWeek());
    if (from < to) {
      return beginsToday && from <= minute && minute < to;
    }
    boolean hasBegunYesterday = days.contains(shown.getDayOfWeek().minus(1));
    return (beginsToday && from <= minute) || (hasBegunYesterday && minute < to);
  }

  /**
   * Returns an instant after this one, up to which the range contains all instants or none. There
   * the clock shows one of its ends, or is changed.
   */
  Instant nextChange(Instant instant) {
    long offset = zone.getRules().getOffset(instant).getTotalSeconds();
    long shown = Math.floorMod(instant.getEpochSecond() + offset, (long) SECONDS_OF_DAY);
    long wait = Math.min(secondsFrom(shown, from), secondsFrom(shown, to));
    Instant end = Instant.ofEpochSecond(instant.getEpochSecond() + wait);
    ZoneOffsetTransition clockChange = zone.getRules().nextTransition(instant);
    return clockChange != null && clockChange.getInstant().isBefore(end)
        ? clockChange.getInstant()
        : end;
  }

  /** Returns the seconds until the clock shows this minute, at least 1. */
  private static long secondsFrom(long shown, int minute) {
    return 1 + Math.floorMod(minute * 60L - shown - 1, (long) SECONDS_OF_DAY);
  }

  /** Returns the name of a day, as it is configured. */
  static String name(DayOfWeek day) {
    return day.name().charAt(0) + day.name().substring(1, 3).toLowerCase(Locale.ROOT);
  }

  /** Returns the text of the range, as it is configured. */
  @Override
  public String toString() {
    String names =
        days.size() == DayOfWeek.values().length
            ? ""
            : EnumSet.copyOf(days).stream()
                .map(TimeRange::name)
                .collect(Collectors.joining(",", "", " "));
    return "%s%02d:%02d-%02d:%02d %s"
        .formatted(names, from / 60, from % 60, to / 60, to % 60, zone);
  }
}
