package dev.weir.config.internal.key;

import java.util.regex.Pattern;

/**
 * The forms of texts, as the JSON Schema has them. Every valid text matches its form. Some invalid
 * ones match it too: the readers refuse them.
 */
public final class Forms {

  public static final Pattern ANY = Pattern.compile(".+");
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  public static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  public static final Pattern NETWORK =
      Pattern.compile("[0-9A-Fa-f:.*%/\\[\\]-]*[0-9:.][0-9A-Za-z:.*%/-]*");
  public static final Pattern NETWORK_OR_UNIX = Pattern.compile("unix|" + NETWORK.pattern());
  public static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

  /** The place of a key in a request. */
  public static final Pattern KEY_PLACE = Pattern.compile("(header|query|cookie):\\S+");

  private static final String NUMBER = "[0-9]*[1-9][0-9]*(_[0-9]+)*";
  private static final String UNIT =
      "([uµ]s|microseconds?|ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|w|weeks?)";
  private static final String BYTES = "([KMGTkmgt]i?B|B|bytes?)";
  private static final String PER = NUMBER + "(\\s*" + BYTES + ")?(\\s+per\\s+|\\s*/\\s*)";

  public static final Pattern SIZE = caseless(NUMBER + "\\s*" + BYTES);

  /** A length of time with its unit. */
  public static final Pattern LENGTH = caseless(NUMBER + "\\s*" + UNIT);

  /** The rate or the quota of a limit. */
  public static final Pattern RATE = caseless(PER + "(" + NUMBER + "\\s*)?(" + UNIT + "|months?)");

  /** A limit in one line. */
  public static final Pattern LIMIT =
      caseless(
          String.join(
              "|",
              PER + "(" + NUMBER + "\\s*)?" + UNIT + more("(\\s*,\\s*burst\\s+", ")?"),
              PER + "(" + NUMBER + "\\s*)?" + UNIT + "\\s+window",
              PER + "(1\\s*)?(" + UNIT + "|months?)\\s+window\\s+[A-Za-z0-9/_+:-]+",
              PER + "(" + NUMBER + "\\s*)?" + UNIT + "\\s+sliding(\\s*,\\s*sub-windows\\s+[0-9]+)?",
              PER
                  + "("
                  + NUMBER
                  + "\\s*)?"
                  + UNIT
                  + "\\s+leaky"
                  + more("(\\s*,\\s*capacity\\s+", ")?"),
              NUMBER + "\\s+concurrent(\\s*,\\s*ttl\\s+(" + NUMBER + "\\s*)?" + UNIT + ")?"));

  private static String more(String before, String after) {
    return before + NUMBER + "(\\s*" + BYTES + ")?" + after;
  }

  /** JSON Schema has no flags: letters stand in both cases. */
  private static Pattern caseless(String form) {
    StringBuilder both = new StringBuilder();
    boolean isEscaped = false;
    boolean isClass = false;
    for (int i = 0; i < form.length(); i++) {
      char c = form.charAt(i);
      isClass = !isEscaped && (c == '[' || (isClass && c != ']'));
      boolean isLetter = Character.isLetter(c) && !isEscaped && !isClass && c != 'µ';
      both.append(isLetter ? "[" + Character.toLowerCase(c) + Character.toUpperCase(c) + "]" : c);
      isEscaped = c == '\\' && !isEscaped;
    }
    return Pattern.compile(both.toString());
  }

  private Forms() {}
}
