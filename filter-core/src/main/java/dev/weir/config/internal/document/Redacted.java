package dev.weir.config.internal.document;

import dev.weir.internal.Redaction;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Formats values for messages: quoted, on one line, of limited length, and without the credentials
 * of a URI.
 */
public final class Redacted {

  private static final int LONGEST = 80;

  private Redacted() {}

  public static String quoted(String text) {
    return "'" + plain(text) + "'";
  }

  /** Returns the quoted key. A URI in its place is hidden, since it may contain a password. */
  static String key(String text) {
    return isUri(text) ? "a URI" : quoted(text);
  }

  static boolean isUri(String text) {
    return text.contains("://") || text.contains("@");
  }

  /** Returns the names as a sorted list. */
  public static String names(Collection<String> names) {
    return names.stream().map(Redacted::plain).sorted().collect(Collectors.joining(", "));
  }

  static String plain(String value) {
    String text = Redaction.masked(value);
    return text.length() > LONGEST ? escaped(text.substring(0, LONGEST)) + "…" : escaped(text);
  }

  /**
   * Escapes line breaks and all other characters that a log or a terminal would not show as they
   * are.
   */
  static String escaped(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int next = i + Character.charCount(point);
      append(shown, text.substring(i, next), point);
      i = next;
    }
    return shown.toString();
  }

  static String codePoint(int point) {
    return String.format("U+%04X", point);
  }

  private static void append(StringBuilder shown, String character, int point) {
    if (isPrintable(point)) {
      shown.append(character);
      return;
    }
    character.chars().forEach(unit -> shown.append(String.format("\\u%04x", unit)));
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
