package dev.weir.internal;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes text fit to be shown. Control characters are escaped. Credentials of URIs are masked:
 * {@code redis://user:password@host} becomes {@code redis://***@host}. A URI may be in a field
 * where none belongs, so all shown values are masked. Values are masked before they are truncated,
 * because half a URI looks like other text.
 */
public final class Redaction {

  private static final String MASK = "***";
  private static final String SCHEME_END = "://";
  private static final int LONGEST = 80;

  /** Controls and line breaks, also those that only Unicode has, and invisible characters. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private static final Pattern QUERY = Pattern.compile("[?#].*", Pattern.DOTALL);

  private Redaction() {}

  /** Returns the text without the credentials of what looks like a URI in it. */
  public static String masked(String text) {
    int colon = text.indexOf(':');
    int scheme = text.indexOf(SCHEME_END);
    int at = text.lastIndexOf('@');
    if (colon >= 0 && colon < at && colon != scheme) {
      return withoutScheme(text, colon, at);
    }
    return scheme < 0 ? text : withScheme(text, scheme + SCHEME_END.length(), at);
  }

  /** Returns whether the text looks like a URI, with or without a scheme. A name does not. */
  public static boolean isUri(String text) {
    return text.contains(SCHEME_END) || !masked(text).equals(text);
  }

  /** Returns the text in quotes, on one line, cut and without the credentials of a URI. */
  public static String quoted(String text) {
    return "'" + plain(text) + "'";
  }

  /** Returns the names as a sorted list. */
  public static String names(Collection<String> names) {
    return names.stream().map(Redaction::plain).sorted().collect(Collectors.joining(", "));
  }

  /** Returns what {@link #quoted} has between its quotes. */
  public static String plain(String value) {
    String text = masked(value);
    return text.length() > LONGEST ? printable(text.substring(0, LONGEST)) + "…" : printable(text);
  }

  /**
   * Returns the text with all characters escaped that a log or a terminal would not show as they
   * are. They could forge lines.
   */
  public static String printable(String text) {
    return UNPRINTABLE
        .matcher(text)
        .replaceAll(
            found ->
                found
                    .group()
                    .chars()
                    .mapToObj(unit -> String.format("\\\\u%04x", unit))
                    .collect(Collectors.joining()));
  }

  /** Masks everything up to the last at sign, since a password may contain any character. */
  private static String withScheme(String text, int start, int at) {
    if (at >= start) {
      return text.substring(0, start) + MASK + withoutQuery(text.substring(at));
    }
    return text.endsWith("…") || text.endsWith("...")
        ? text.substring(0, start) + MASK
        : text.substring(0, start) + withoutQuery(text.substring(start));
  }

  private static String withoutQuery(String rest) {
    return QUERY.matcher(rest).replaceFirst("?" + Matcher.quoteReplacement(MASK));
  }

  /** Masks from the word with the first colon, since a password may contain blanks and a scheme. */
  private static String withoutScheme(String text, int colon, int at) {
    int start = colon;
    while (start > 0 && !Character.isWhitespace(text.charAt(start - 1))) {
      start--;
    }
    String quote = text.startsWith("'", start) ? "'" : "";
    String rest = text.substring(at);
    return text.substring(0, start)
        + quote
        + MASK
        + (rest.contains(SCHEME_END) ? withoutQuery(rest) : rest);
  }
}
