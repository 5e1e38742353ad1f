package dev.weir.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lengths of time as they are written, and as limits use them: whole microseconds, one to 366 days,
 * printed in words.
 */
public final class Spans {

  private static final Duration LONGEST = Duration.ofDays(366);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\s*(\\p{L}+)");

  private Spans() {}

  /**
   * Returns the length of a whole number and its unit, such as {@code 100ms}, {@code 2 s} or {@code
   * 1 minute}. Empty if the text has another form.
   */
  public static Optional<Duration> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? SpanUnit.spelled(form.group(2))
            .map(unit -> ofMicros(unit.micros()).multipliedBy(Long.parseLong(form.group(1))))
        : Optional.empty();
  }

  public static void validate(String field, Duration span) {
    if (span.isNegative() || span.isZero()) {
      throw Expect.failure(field, span, "> 0");
    }
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
    for (SpanUnit unit : SpanUnit.LARGEST_FIRST) {
      if (micros % unit.micros() == 0 && unit.prints(micros)) {
        return unit.print(micros / unit.micros());
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
