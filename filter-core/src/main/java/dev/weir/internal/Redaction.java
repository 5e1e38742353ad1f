package dev.weir.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks the credentials of URIs in text that is shown: {@code redis://user:password@host} becomes
 * {@code redis://***@host}. A URI may stand in a field where none belongs, so all shown values pass
 * here, and before they are cut: half a URI cannot be told from other text.
 */
public final class Redaction {

  private static final String MASK = "***";
  private static final String SCHEME_END = "://";
  private static final Pattern QUERY = Pattern.compile("[?#].*", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("\\S+");

  private Redaction() {}

  /** Returns the text without the credentials of what looks like a URI in it. */
  public static String masked(String text) {
    int scheme = text.indexOf(SCHEME_END);
    return scheme < 0 ? withoutScheme(text) : withScheme(text, scheme + SCHEME_END.length());
  }

  /** Whether the text looks like a URI, with or without a scheme: a name is none. */
  public static boolean isUri(String text) {
    return text.contains(SCHEME_END) || !masked(text).equals(text);
  }

  /** A password may hold anything, so all up to the last at sign is masked. */
  private static String withScheme(String text, int start) {
    int at = text.lastIndexOf('@');
    if (at >= start) {
      return text.substring(0, start) + MASK + withoutQuery(text.substring(at));
    }
    return isCut(text)
        ? text.substring(0, start) + MASK
        : text.substring(0, start) + withoutQuery(text.substring(start));
  }

  private static boolean isCut(String text) {
    return text.endsWith("…") || text.endsWith("...");
  }

  private static String withoutQuery(String rest) {
    return QUERY.matcher(rest).replaceFirst("?" + Matcher.quoteReplacement(MASK));
  }

  private static String withoutScheme(String text) {
    return text.indexOf('@') < 0
        ? text
        : WORD.matcher(text).replaceAll(word -> Matcher.quoteReplacement(maskedWord(word.group())));
  }

  private static String maskedWord(String word) {
    int colon = word.indexOf(':');
    int at = word.lastIndexOf('@');
    String quote = word.startsWith("'") ? "'" : "";
    return colon >= 0 && colon < at ? quote + MASK + word.substring(at) : word;
  }
}
