package dev.weir.limit;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fixed window, or period. It grants at most a quota of L permits in each window, and exactly L
 * when saturated.
 */
public record FixedWindow(long quota, Window window) implements Limit {

  /**
   * @param quota at least 1, below 2^53
   * @throws IllegalArgumentException when the quota is out of its range
   */
  public FixedWindow {
    Objects.requireNonNull(window, "window");
    Expect.positive("quota", quota);
    if (quota >= BucketUnits.EXACT) {
      throw Expect.failure("quota", quota, "below 2^53");
    }
  }

  /** Returns a limit whose window starts at its first granted request, and lasts this long. */
  public static FixedWindow of(long quota, Duration length) {
    return new FixedWindow(quota, new FirstRequestWindow(length));
  }

  /** Returns a limit whose window is a unit of the calendar in a time zone, such as a day. */
  public static FixedWindow of(long quota, CalendarWindow.Unit unit, ZoneId zone) {
    return new FixedWindow(quota, new CalendarWindow(unit, zone));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.FIXED_WINDOW;
  }

  @Override
  public long capacity() {
    return quota;
  }

  @Override
  public Duration timeToFull() {
    return window.longest();
  }

  /** Returns what {@link Limit#parse} reads, such as {@code 1000 per day window UTC}. */
  @Override
  public String toString() {
    return quota + " per " + window;
  }

  /** The rule for where windows begin and end. */
  public sealed interface Window permits FirstRequestWindow, CalendarWindow {

    /** Returns a length that no window of this kind exceeds. */
    Duration longest();
  }

  /**
   * A window aligned to the calendar of a time zone. A day starts at local midnight, a week on
   * Monday, a month on the 1st, and an hour on the hour.
   *
   * <p>Days, weeks and months follow daylight saving: a day may last 23 or 25 hours. Every change
   * of the zone's offset ends the current second, minute and hour. So hours stay on the hour after
   * the change, even where clocks move by half an hour. The windows of one unit and zone cover all
   * time without gap or overlap.
   */
  public record CalendarWindow(Unit unit, ZoneId zone) implements Window {

    /** The units of the calendar to which a window is aligned. */
    public enum Unit {
      /** A second of the clock. */
      SECOND(ChronoUnit.SECONDS, Duration.ofSeconds(1)),
      /** A minute of the clock, from second 0. */
      MINUTE(ChronoUnit.MINUTES, Duration.ofMinutes(1)),
      /** An hour of the clock, from minute 0. */
      HOUR(ChronoUnit.HOURS, Duration.ofHours(1)),
      /** A day, from local midnight. */
      DAY(ChronoUnit.DAYS, Duration.ofHours(49)),
      /** A week, from the local midnight at which Monday begins. */
      WEEK(ChronoUnit.WEEKS, Duration.ofDays(9)),
      /** A month, from local midnight on the 1st. */
      MONTH(ChronoUnit.MONTHS, Duration.ofDays(33));

      private final ChronoUnit length;

      /**
       * The upper bound of a window's length, with room for the largest change of offset of any
       * zone.
       */
      private final Duration longest;

      Unit(ChronoUnit length, Duration longest) {
        this.length = length;
        this.longest = longest;
      }
    }

    /** The bounds of a window: the start is inclusive, the end is exclusive. */
    public record Bounds(Instant start, Instant end) {}

    public CalendarWindow {
      Objects.requireNonNull(unit, "unit");
      Objects.requireNonNull(zone, "zone");
    }

    /** Returns the only window that contains this instant. */
    public Bounds at(Instant instant) {
      if (unit.length.isTimeBased()) {
        return clockBounds(instant, unit.longest.toSeconds());
      }
      LocalDate first = firstDate(instant);
      Bounds bounds = dateBounds(first);
      // if clocks go back over midnight, a date occurs again after the next date has begun
      return instant.isBefore(bounds.end) ? bounds : dateBounds(first.plus(1, unit.length));
    }

    /** Returns the end of the window that comes so many windows after the one that ends here. */
    public Instant endAfter(Instant end, long windows) {
      if (unit.length.isDateBased()) {
        return start(firstDate(end).plus(windows, unit.length));
      }
      Instant after = end.plusSeconds(windows * unit.longest.toSeconds());
      ZoneOffsetTransition cut = zone.getRules().nextTransition(end.minusNanos(1));
      if (cut == null || cut.getInstant().isAfter(after)) {
        return after;
      }
      after = end;
      for (long i = 0; i < windows; i++) {
        after = at(after).end();
      }
      return after;
    }

    private LocalDate firstDate(Instant instant) {
      LocalDate date = LocalDate.ofInstant(instant, zone);
      return switch (unit) {
        case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        case MONTH -> date.withDayOfMonth(1);
        case SECOND, MINUTE, HOUR, DAY -> date;
      };
    }

    private Instant start(LocalDate date) {
      return date.atStartOfDay(zone).toInstant();
    }

    @Override
    public Duration longest() {
      return unit.longest;
    }

    /** Returns the window as the text of a limit has it, such as {@code day window UTC}. */
    @Override
    public String toString() {
      return unit.name().toLowerCase(Locale.ROOT) + " window " + zone;
    }

    private Bounds dateBounds(LocalDate first) {
      return new Bounds(start(first), start(first.plus(1, unit.length)));
    }

    private Bounds clockBounds(Instant instant, long lengthSeconds) {
      ZoneRules rules = zone.getRules();
      long offsetSeconds = rules.getOffset(instant).getTotalSeconds();
      long into = Math.floorMod(instant.getEpochSecond() + offsetSeconds, lengthSeconds);
      Instant start = Instant.ofEpochSecond(instant.getEpochSecond() - into);
      Instant end = start.plusSeconds(lengthSeconds);
      @Nullable ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
      if (before != null && before.getInstant().isAfter(start)) {
        start = before.getInstant();
      }
      @Nullable ZoneOffsetTransition after = rules.nextTransition(instant);
      if (after != null && after.getInstant().isBefore(end)) {
        end = after.getInstant();
      }
      return new Bounds(start, end);
    }
  }

  /**
   * A window that starts at its first granted request and lasts a fixed time. The next window
   * starts at the first request after it.
   *
   * @param length whole microseconds, from 1 µs to 366 days
   */
  public record FirstRequestWindow(Duration length) implements Window {

    /**
     * @throws IllegalArgumentException when the length is out of its range
     */
    public FirstRequestWindow {
      Objects.requireNonNull(length, "length");
      Spans.validate("window", length);
    }

    @Override
    public Duration longest() {
      return length;
    }

    /** Returns the window as the text of a limit has it, such as {@code day window}. */
    @Override
    public String toString() {
      return Spans.print(length) + " window";
    }
  }
}
