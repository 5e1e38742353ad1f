package dev.weir.config.internal.document;

import dev.weir.internal.Spelling;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lengths of time, written as a whole number and its unit: {@code 100ms}, {@code 2 s}, {@code 1
 * minute}. A number without a unit is refused as ambiguous. ISO 8601 notation such as {@code
 * PT0.1S} is also refused, since no other setting uses it, but the message translates it.
 */
public final class Durations {

  public static final String EXPECTED = "a length of time with its unit, such as 100ms or 2s";

  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\s*([a-z]+)");
  private static final List<String> UNITS = List.of("ms", "s", "m", "h");

  private Durations() {}

  public static Optional<Duration> read(Value value, Duration least, Duration most) {
    Optional<String> text = value.text(EXPECTED);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> length = read(value, text.get());
    if (length.isEmpty()) {
      return length;
    }
    if (length.get().compareTo(least) < 0 || length.get().compareTo(most) > 0) {
      value.problem(value.found(), "from " + print(least) + " to " + print(most));
      return Optional.empty();
    }
    return length;
  }

  /** Reads a length from a part of a value. */
  public static Optional<Duration> read(Value value, String text) {
    Optional<Duration> length = parse(text);
    if (length.isEmpty()) {
      value.problem(value.found(), EXPECTED, suggestion(text));
    }
    return length;
  }

  private static Optional<Duration> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    long count = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms", "millisecond", "milliseconds" -> Optional.of(Duration.ofMillis(count));
      case "s", "sec", "secs", "second", "seconds" -> Optional.of(Duration.ofSeconds(count));
      case "m", "min", "mins", "minute", "minutes" -> Optional.of(Duration.ofMinutes(count));
      case "h", "hour", "hours" -> Optional.of(Duration.ofHours(count));
      default -> Optional.empty();
    };
  }

  private static Optional<String> suggestion(String text) {
    try {
      return Optional.of(print(Duration.parse(text)));
    } catch (DateTimeParseException notIso) {
      Matcher form = FORM.matcher(text);
      return form.matches()
          ? Spelling.nearest(form.group(2), UNITS).map(unit -> form.group(1) + unit)
          : Optional.empty();
    }
  }

  private static String print(Duration length) {
    return length.toMillis() % 1000 == 0 ? length.toSeconds() + "s" : length.toMillis() + "ms";
  }
}
