package dev.weir.config.internal.key;

import java.util.regex.Pattern;

/**
 * The forms of texts, as the JSON Schema has them. Every valid text matches its form. Some invalid
 * ones match it too: the readers refuse them.
 */
public final class Forms {

  public static final Pattern ANY = Pattern.compile(".+");

  /** Printable ASCII without braces. */
  public static final Pattern NAME = Pattern.compile("[ -z|~]{1,128}");

  public static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  public static final Pattern NETWORK =
      Pattern.compile("[0-9A-Fa-f:.*%/\\[\\]-]*[0-9:.][0-9A-Za-z:.*%/-]*");
  public static final Pattern NETWORK_OR_UNIX = Pattern.compile("unix|" + NETWORK.pattern());

  /** A prefix of one of the lengths of RFC 6052. */
  public static final Pattern NAT64 = Pattern.compile("[0-9A-Fa-f:.]+/(32|40|48|56|64|96)");

  public static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

  /** The place of a key in a request. */
  public static final Pattern KEY_PLACE = Pattern.compile("(header|cookie):\\S+|query:.+");

  // the scanner of limits wants no blanks between words and numbers

  private static final String NUMBER = "\\+?[0-9_]*[1-9][0-9_]*";
  private static final String UNIT =
      "(us|µs|microseconds?|ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?"
          + "|w|weeks?)";
  private static final String BYTES = "((k|m|g|t)?i?b|bytes?)";
  private static final String PER = NUMBER + "(\\s*" + BYTES + ")?\\s*(per|/)\\s*";
  private static final String SPAN = "(" + NUMBER + "\\s*)?" + UNIT;

  /** A size in bytes. */
  public static final Pattern SIZE = caseless(NUMBER + "\\s*" + BYTES);

  /** A length of time with its unit. */
  public static final Pattern LENGTH = caseless(NUMBER + "\\s*" + UNIT);

  /** The rate or the quota of a limit. */
  public static final Pattern RATE = caseless(PER + "((" + NUMBER + "\\s*)?months?|" + SPAN + ")");

  /** A limit in one line. */
  public static final Pattern LIMIT =
      caseless(
          String.join(
              "|",
              PER + SPAN + more("burst"),
              PER + SPAN + "\\s*leaky" + more("capacity"),
              PER + SPAN + "\\s*sliding" + more("sub\\s*-\\s*windows"),
              PER + SPAN + "\\s*window",
              PER + "(" + NUMBER + "\\s*)?(months?|" + UNIT + ")\\s*window\\s*\\S+",
              NUMBER + "\\s*concurrent(\\s*,\\s*ttl\\s*" + SPAN + ")?"));

  private static String more(String option) {
    return "(\\s*,\\s*" + option + "\\s*" + NUMBER + "(\\s*" + BYTES + ")?)?";
  }

  /** Returns the form with letters in both cases, for JSON Schema has no flags. */
  public static Pattern caseless(String form) {
    StringBuilder both = new StringBuilder();
    for (int i = 0; i < form.length(); i++) {
      char c = form.charAt(i);
      boolean isEscaped = i > 0 && form.charAt(i - 1) == '\\';
      boolean isLetter = c >= 'a' && c <= 'z' && !isEscaped;
      both.append(isLetter ? "[" + c + Character.toUpperCase(c) + "]" : c);
    }
    return Pattern.compile(both.toString());
  }

  private Forms() {}
}
