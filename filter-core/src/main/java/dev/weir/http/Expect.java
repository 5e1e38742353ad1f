package dev.weir.http;

import dev.weir.internal.Redaction;

/** The common form of an argument error: {@code cost: 0 (expected: > 0)}. */
final class Expect {

  private Expect() {}

  static IllegalArgumentException failure(String field, Object value, String expectation) {
    return new IllegalArgumentException(
        field
            + ": "
            + Redaction.masked(String.valueOf(value))
            + " (expected: "
            + Redaction.masked(expectation)
            + ")");
  }

  static void notBlank(String field, String value) {
    if (value.isBlank()) {
      throw failure(field, "'" + value + "'", "a name that is not blank");
    }
  }

  /**
   * Throws if a name is a URI. Names appear in logs, metrics and responses, where a URI would show
   * its password.
   */
  static void noUri(String field, String value) {
    if (Redaction.isUri(value)) {
      throw failure(field, "'" + value + "'", "a name, not a URI");
    }
  }

  /** Escapes control characters. Otherwise a text could forge lines of a log. */
  static String printable(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      shown.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : c);
    }
    return shown.toString();
  }
}
