package dev.weir.http;

import java.util.List;

/**
 * What a request costs by what it says of itself: a whole number, taken into these bounds.
 *
 * <p>A request that says nothing costs {@code otherwise}. One that says something else than one
 * number of plain digits costs {@code to}: two values, a sign, a blank, a fraction, digits of other
 * scripts. Applications read such things in different ways, some as more than they look like, so
 * that nothing cheaper would be safe.
 *
 * @param from what a request costs at least, in permits
 * @param to what it costs at most
 * @param otherwise what it costs when it says nothing
 */
public record CostBounds(long from, long to, long otherwise) {

  /** So many digits always fit a long. */
  private static final int MOST_DIGITS = 18;

  /**
   * @throws IllegalArgumentException unless 1 ≤ from ≤ to, and otherwise is one of these or between
   *     them
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

  /** From 1 to this, and this for a request that says nothing. */
  public static CostBounds upTo(long to) {
    return new CostBounds(1, to, to);
  }

  /** What a request costs that says these. */
  long permits(List<String> values) {
    if (values.isEmpty()) {
      return otherwise;
    }
    String value = values.get(0);
    if (values.size() > 1 || !isPlainNumber(value)) {
      return to;
    }
    String digits = withoutLeadingZeros(value);
    long said = digits.length() > MOST_DIGITS ? to : Long.parseLong(digits);
    return Math.max(from, Math.min(said, to));
  }

  /** ASCII digits alone; {@code Long.parseLong} would take a sign, and digits of any script. */
  private static boolean isPlainNumber(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static String withoutLeadingZeros(String digits) {
    int first = 0;
    while (first < digits.length() - 1 && digits.charAt(first) == '0') {
      first++;
    }
    return digits.substring(first);
  }
}
