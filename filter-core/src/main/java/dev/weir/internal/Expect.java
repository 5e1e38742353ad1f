package dev.weir.internal;

import java.time.Duration;
import java.util.Optional;

/** Checks of arguments. All messages have one form: {@code burst: 0 (expected: > 0)}. */
public final class Expect {

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
    return new InvalidValueException(
        field,
        Redaction.printable(shortened(Redaction.masked(String.valueOf(value)))),
        Redaction.printable(Redaction.masked(expectation)),
        suggestion);
  }

  private static String shortened(String text) {
    return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
  }
}
