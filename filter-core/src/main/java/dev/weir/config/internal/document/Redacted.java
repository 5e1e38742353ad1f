package dev.weir.config.internal.document;

import dev.weir.internal.Redaction;
import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats values for messages: quoted, on one line, of limited length, and without the credentials
 * of a URI.
 */
public final class Redacted {

  private static final int LONGEST = 80;

  /** Line breaks, and all other characters that a log or a terminal would not show as they are. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

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

  static String escaped(String text) {
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
}
