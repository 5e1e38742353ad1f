package dev.weir.config;

/** How a value is shown in a message: quoted, on one line, and not longer than a line. */
final class Shown {

  private static final int LONGEST = 80;

  private Shown() {}

  static String quoted(String text) {
    return "'" + plain(text) + "'";
  }

  static String plain(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints().limit(LONGEST).forEach(point -> append(shown, point));
    return text.codePointCount(0, text.length()) > LONGEST ? shown + "…" : shown.toString();
  }

  static String codePoint(int point) {
    return String.format("U+%04X", point);
  }

  private static void append(StringBuilder shown, int point) {
    if (isPrintable(point)) {
      shown.appendCodePoint(point);
    } else {
      shown.append('<').append(codePoint(point)).append('>');
    }
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
