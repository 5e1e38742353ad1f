package dev.weir;

import dev.weir.internal.Redaction;

/** Checks of arguments. All messages have one form: {@code burst: 0 (expected: > 0)}. */
final class Expect {

  private static final int LONGEST_SHOWN = 200;

  private Expect() {}

  static void positive(String field, long value) {
    if (value <= 0) {
      throw failure(field, value, "> 0");
    }
  }

  static String named(String field, String value) {
    if (value.isBlank()) {
      throw failure(field, "'" + value + "'", "a name that is not blank");
    }
    return value;
  }

  static IllegalArgumentException failure(String field, Object value, String expectation) {
    return new IllegalArgumentException(
        field + ": " + printable(value.toString()) + " (expected: " + printable(expectation) + ")");
  }

  /**
   * Returns text fit for a log: without credentials, line breaks and other control characters. Long
   * text is cut.
   */
  private static String printable(String text) {
    String value = Redaction.masked(text);
    StringBuilder printable = new StringBuilder();
    int shown = Math.min(value.length(), LONGEST_SHOWN);
    for (int i = 0; i < shown; i++) {
      char character = value.charAt(i);
      if (Character.isISOControl(character)) {
        printable.append(String.format("\\u%04x", (int) character));
      } else {
        printable.append(character);
      }
    }
    return shown < value.length() ? printable + "..." : printable.toString();
  }
}
