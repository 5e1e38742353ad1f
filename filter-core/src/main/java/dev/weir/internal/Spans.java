package dev.weir.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lengths of time as they are written, and as limits use them: whole microseconds, one to 366 days,
 * printed in words.
 */
public final class Spans {

  private static final Duration LONGEST = Duration.ofDays(366);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\s*(\\p{L}+)");

  private static final List<Unit> LARGEST_FIRST =
      Stream.of(Unit.values()).sorted(Comparator.reverseOrder()).toList();

  private Spans() {}

  /** The units of time in which a limit may be written. */
  public enum Unit {
    MICROSECOND(1L),
    MILLISECOND(1_000L),
    SECOND(1_000_000L),
    MINUTE(60_000_000L),
    HOUR(3_600_000_000L),
    DAY(86_400_000_000L),
    WEEK(604_800_000_000L);

    private final long micros;

    Unit(long micros) {
      this.micros = micros;
    }

    /** Returns the unit with this spelling, in any case. */
    public static Optional<Unit> spelled(String word) {
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
      return Stream.of(values())
          .flatMap(unit -> Stream.of(unit.singular(), unit.singular() + "s"))
          .toList();
    }

    public long micros() {
      return micros;
    }

    public String singular() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the length of a whole number and its unit, such as {@code 100ms}, {@code 2 s} or {@code
   * 1 minute}. Empty if the text has another form.
   */
  public static Optional<Duration> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Unit.spelled(form.group(2))
            .map(unit -> ofMicros(unit.micros()).multipliedBy(Long.parseLong(form.group(1))))
        : Optional.empty();
  }

  /**
   * Checks a length of time.
   *
   * @throws IllegalArgumentException when it is not whole microseconds from one to 366 days
   */
  public static void validate(String field, Duration span) {
    Expect.positive(field, span);
    if (span.compareTo(LONGEST) > 0) {
      throw Expect.failure(field, span, "at most 366 days");
    }
    if (!span.equals(span.truncatedTo(ChronoUnit.MICROS))) {
      throw Expect.failure(field, span, "a whole number of microseconds");
    }
  }

  public static long micros(Duration span) {
    return TimeUnit.MICROSECONDS.convert(span);
  }

  public static Duration ofMicros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  /** Returns the span in the largest unit that divides it evenly. A count of one is left out. */
  public static String print(Duration span) {
    long micros = micros(span);
    for (Unit unit : LARGEST_FIRST) {
      // two weeks are printed as 14 days, as is usual
      if (micros % unit.micros() == 0 && (unit != Unit.WEEK || micros == unit.micros())) {
        long count = micros / unit.micros;
        return count == 1 ? unit.singular() : count + " " + unit.singular() + "s";
      }
    }
    throw new AssertionError("a whole number of microseconds divides evenly: " + span);
  }

  /** Returns the same with its count, even where that is one: {@code 1 minute}. */
  public static String printCounted(Duration span) {
    String text = print(span);
    return Character.isDigit(text.charAt(0)) ? text : "1 " + text;
  }
}
