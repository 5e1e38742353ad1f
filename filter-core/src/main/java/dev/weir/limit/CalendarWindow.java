package dev.weir.limit;

import dev.weir.limit.FixedWindow.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A window aligned to the calendar of a time zone. A day starts at local midnight, a week on
 * Monday, a month on the 1st, and an hour on the hour.
 *
 * <p>Days, weeks and months follow daylight saving: a day may last 23 or 25 hours. Every change of
 * the zone's offset ends the current second, minute and hour. So hours stay on the hour after the
 * change, even where clocks move by half an hour. The windows of one unit and zone cover all time
 * without gap or overlap.
 */
public record CalendarWindow(Unit unit, ZoneId zone) implements Window {

  /** The units of the calendar to which a window is aligned. */
  public enum Unit {
    SECOND(Duration.ofSeconds(1)),
    MINUTE(Duration.ofMinutes(1)),
    HOUR(Duration.ofHours(1)),
    DAY(Duration.ofHours(49)),
    WEEK(Duration.ofDays(9)),
    MONTH(Duration.ofDays(33));

    /**
     * The upper bound of a window's length, with room for the largest change of offset of any zone.
     */
    private final Duration longest;

    Unit(Duration longest) {
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
    if (unit == Unit.SECOND || unit == Unit.MINUTE || unit == Unit.HOUR) {
      return clockBounds(instant, unit.longest.toSeconds());
    }
    LocalDate first = firstDate(ZonedDateTime.ofInstant(instant, zone).toLocalDate());
    Bounds bounds = dateBounds(first);
    // if clocks go back over midnight, a date occurs again after the next date has begun
    return instant.isBefore(bounds.end) ? bounds : dateBounds(laterDate(first, 1));
  }

  /** Returns the end of the window that comes so many windows after the one that ends here. */
  public Instant endAfter(Instant end, long windows) {
    return switch (unit) {
      case SECOND, MINUTE, HOUR -> clockEndAfter(end, windows);
      case DAY, WEEK, MONTH -> {
        LocalDate first = firstDate(ZonedDateTime.ofInstant(end, zone).toLocalDate());
        yield laterDate(first, windows).atStartOfDay(zone).toInstant();
      }
    };
  }

  private Instant clockEndAfter(Instant end, long windows) {
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

  private LocalDate firstDate(LocalDate date) {
    return switch (unit) {
      case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> date.withDayOfMonth(1);
      case SECOND, MINUTE, HOUR, DAY -> date;
    };
  }

  private LocalDate laterDate(LocalDate first, long windows) {
    return switch (unit) {
      case WEEK -> first.plusWeeks(windows);
      case MONTH -> first.plusMonths(windows);
      case SECOND, MINUTE, HOUR, DAY -> first.plusDays(windows);
    };
  }

  @Override
  public Duration longest() {
    return unit.longest;
  }

  @Override
  public String toString() {
    return unit.name().toLowerCase(Locale.ROOT) + " window " + zone;
  }

  private Bounds dateBounds(LocalDate first) {
    return new Bounds(
        first.atStartOfDay(zone).toInstant(), laterDate(first, 1).atStartOfDay(zone).toInstant());
  }

  private Bounds clockBounds(Instant instant, long lengthSeconds) {
    ZoneRules rules = zone.getRules();
    long offsetSeconds = rules.getOffset(instant).getTotalSeconds();
    long into = Math.floorMod(instant.getEpochSecond() + offsetSeconds, lengthSeconds);
    Instant start = Instant.ofEpochSecond(instant.getEpochSecond() - into);
    Instant end = start.plusSeconds(lengthSeconds);
    return new Bounds(
        later(start, rules.previousTransition(instant.plusNanos(1))),
        earlier(end, rules.nextTransition(instant)));
  }

  private static Instant later(Instant start, @Nullable ZoneOffsetTransition cut) {
    return cut != null && cut.getInstant().isAfter(start) ? cut.getInstant() : start;
  }

  private static Instant earlier(Instant end, @Nullable ZoneOffsetTransition cut) {
    return cut != null && cut.getInstant().isBefore(end) ? cut.getInstant() : end;
  }
}
