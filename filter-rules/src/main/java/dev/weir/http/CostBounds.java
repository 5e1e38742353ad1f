package dev.weir.http;

import dev.weir.internal.Expect;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bounds for a cost that a request states as a whole number. A number outside of them counts as
 * the nearer bound.
 *
 * <p>A request that states nothing costs {@code otherwise}. One that states anything but one number
 * of plain digits costs {@code to}. Examples are two values, a sign, a blank, a fraction, or digits
 * of other scripts. Applications read such values in different ways, and some read more than is
 * apparent. So nothing cheaper would be safe.
 *
 * @param from the least that a request costs, in permits
 * @param to the most that it costs
 * @param otherwise what it costs when it states nothing
 */
public record CostBounds(long from, long to, long otherwise) {

  /**
   * Plain digits, of which the last 18 always fit a long. A longer number is more than any cost.
   */
  private static final Pattern NUMBER = Pattern.compile("0*([0-9]{1,18})");

  /**
   * @throws IllegalArgumentException unless 1 ≤ from ≤ to, and from ≤ otherwise ≤ to
   */
  public CostBounds {
    if (from <= 0) {
      throw Expect.failure("from", from, "> 0");
    }
    if (to < from) {
      throw Expect.failure("to", to, "at least " + from + ", which is from");
    }
    if (otherwise < from || otherwise > to) {
      throw Expect.failure("otherwise", otherwise, "from " + from + " to " + to);
    }
  }

  /** Returns bounds from 1 to this number. A request that states nothing costs this number. */
  public static CostBounds upTo(long to) {
    return new CostBounds(1, to, to);
  }

  /** Returns the cost of a request that states these values. */
  long permits(List<String> values) {
    if (values.isEmpty()) {
      return otherwise;
    }
    // Long.parseLong would accept a sign, and digits of any script
    Matcher stated = NUMBER.matcher(values.get(0));
    return values.size() > 1 || !stated.matches()
        ? to
        : Math.max(from, Math.min(Long.parseLong(stated.group(1)), to));
  }
}
