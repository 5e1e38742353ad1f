package dev.weir.bench;

/** The part of a page that a run rewrites. The rest is written by hand and stays. */
final class Markers {

  static final String BEGIN = "<!-- measured: from here -->";
  static final String END = "<!-- measured: to here -->";

  private Markers() {}

  /**
   * Returns the page with this text between its markers.
   *
   * @throws IllegalArgumentException when it does not have both, once and in order
   */
  static String replaced(String page, String measured) {
    int begin = only(page, BEGIN) + BEGIN.length();
    int end = only(page, END);
    if (end < begin) {
      throw failure(END, "after " + BEGIN);
    }
    return page.substring(0, begin) + "\n" + measured.strip() + "\n" + page.substring(end);
  }

  private static int only(String page, String marker) {
    int first = page.indexOf(marker);
    if (first < 0 || page.indexOf(marker, first + 1) >= 0) {
      throw failure(marker, "once");
    }
    return first;
  }

  private static IllegalArgumentException failure(String marker, String expected) {
    return new IllegalArgumentException("page: %s (expected: %s)".formatted(marker, expected));
  }
}
