package dev.weir;

/** Checks of arguments, with the one shape of message: {@code burst: 0 (expected: > 0)}. */
final class Expect {

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
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expectation + ")");
  }
}
