package dev.weir.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks of arguments. All messages have one form: {@code burst: 0 (expected: > 0)}. */
public final class Expect {

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+(_[0-9]+)*");
  private static final int LONGEST_VALUE = 200;

  private Expect() {}

  public static void positive(String field, long value) {
    if (value <= 0) {
      throw failure(field, value, "> 0");
    }
  }

  public static void positive(String field, Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw failure(field, time, "> 0");
    }
  }

  public static void notNegative(String field, long value) {
    if (value < 0) {
      throw failure(field, value, ">= 0");
    }
  }

  /** Returns the number of these digits, which may contain underscores. */
  public static long whole(String field, String digits) {
    if (!WHOLE.matcher(digits).matches()) {
      throw failure(field, digits, "a whole number");
    }
    try {
      return Long.parseLong(digits.replace("_", ""));
    } catch (NumberFormatException tooLarge) {
      throw failure(field, digits, "a whole number below 2^53");
    }
  }

  public static String notBlank(String field, String value) {
    if (value.isBlank()) {
      throw failure(field, "'" + value + "'", "a name that is not blank");
    }
    return value;
  }

  /**
   * Throws if a name is a URI. Names appear in logs, metrics and responses, where a URI would show
   * its password.
   */
  public static void noUri(String field, String value) {
    if (Redaction.isUri(value)) {
      throw failure(field, "'" + value + "'", "a name, not a URI");
    }
  }

  /**
   * Returns the error of a value that is not as expected. The message is fit for a log: it has no
   * credentials and no control characters, and a long value is cut.
   */
  public static InvalidValueException failure(String field, Object value, String expectation) {
    return failure(field, value, expectation, Optional.empty());
  }

  /** Returns the error with a suggestion: the nearest valid spelling, if one is near. */
  public static InvalidValueException failure(
      String field, Object value, String expectation, Optional<String> suggestion) {
    String text = Redaction.masked(String.valueOf(value));
    return new InvalidValueException(
        field,
        Redaction.printable(
            text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text),
        Redaction.printable(Redaction.masked(expectation)),
        suggestion);
  }
}
