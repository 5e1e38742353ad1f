package dev.weir.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The units of time in which a limit may be written. */
public enum SpanUnit {
  MICROSECOND(1L),
  MILLISECOND(1_000L),
  SECOND(1_000_000L),
  MINUTE(60_000_000L),
  HOUR(3_600_000_000L),
  DAY(86_400_000_000L),
  WEEK(604_800_000_000L);

  public static final List<SpanUnit> LARGEST_FIRST =
      List.of(WEEK, DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND);

  private final long micros;

  SpanUnit(long micros) {
    this.micros = micros;
  }

  /** Returns the unit with this spelling, in any case. */
  public static Optional<SpanUnit> spelled(String word) {
    return Optional.ofNullable(
        switch (word.toLowerCase(Locale.ROOT)) {
          case "us", "µs", "microsecond", "microseconds" -> MICROSECOND;
          case "ms", "millisecond", "milliseconds" -> MILLISECOND;
          case "s", "sec", "secs", "second", "seconds" -> SECOND;
          case "m", "min", "mins", "minute", "minutes" -> MINUTE;
          case "h", "hour", "hours" -> HOUR;
          case "d", "day", "days" -> DAY;
          case "w", "week", "weeks" -> WEEK;
          default -> null;
        });
  }

  /** Returns the words that {@link #spelled} accepts, without their abbreviations. */
  public static List<String> words() {
    List<String> words = new ArrayList<>();
    for (SpanUnit unit : values()) {
      words.add(unit.singular());
      words.add(unit.singular() + "s");
    }
    return words;
  }

  public long micros() {
    return micros;
  }

  public String singular() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a span is printed in this unit. Two weeks are printed as 14 days, as is usual.
   */
  public boolean prints(long totalMicros) {
    return this != WEEK || totalMicros == micros;
  }

  public String print(long count) {
    return count == 1 ? singular() : count + " " + singular() + "s";
  }
}
