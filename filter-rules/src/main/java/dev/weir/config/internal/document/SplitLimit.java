package dev.weir.config.internal.document;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Limits that YAML has split at a comma. Inside <code>{ }</code> and <code>[ ]</code> a comma ends
 * an item, so {@code [20 per second, burst 40]} is a list of two.
 */
public final class SplitLimit {

  public static final String WITHOUT_COMMAS =
      "a limit whose number has no commas, as in 1_000 per minute";

  private static final String QUOTES =
      "quotes around the whole limit, as in \"20 per second, burst 40\"";
  private static final Pattern OPTION =
      Pattern.compile("(burst|capacity|ttl|sub-windows)\\s.*", Pattern.CASE_INSENSITIVE);
  private static final String BRACKETS =
      "[ ] around the list, as in [10.0.0.5, 192.0.2.7], since a comma ends the value";
  private static final Pattern NETWORK =
      Pattern.compile(
          "[0-9]{1,3}(\\.[0-9]{1,3}){3}(/[0-9]+)?|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*(/[0-9]+)?");
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,3}");
  private static final Pattern THOUSANDS = Pattern.compile("[0-9]{3}\\s*(per\\s|/).*");

  private SplitLimit() {}

  /**
   * Returns what to expect instead of a key that is the end of a limit, or empty if it is not one.
   */
  public static Optional<String> hintForKey(String key) {
    if (NETWORK.matcher(key).matches()) {
      return Optional.of(BRACKETS);
    }
    return THOUSANDS.matcher(key).matches() ? Optional.of(WITHOUT_COMMAS) : hintForItem(key);
  }

  /** Returns what to expect instead of an item that is an option of the previous one, or empty. */
  public static Optional<String> hintForItem(String item) {
    return OPTION.matcher(item).matches() ? Optional.of(QUOTES) : Optional.empty();
  }

  /** Returns whether a comma has split the number of a limit: 1,000 per minute. */
  public static boolean isNumber(Value item, Value next) {
    return item.isLike(DIGITS) && next.isLike(THOUSANDS);
  }
}
