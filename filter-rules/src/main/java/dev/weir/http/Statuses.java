package dev.weir.http;

import dev.weir.internal.Expect;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A set of responses, selected by their status.
 *
 * @param ranges the ranges of the statuses in this set; without any, all statuses are
 */
public record Statuses(List<Range> ranges) {

  /** Every response. */
  public static final Statuses ALL = new Statuses(List.of());

  private static final Pattern FORM = Pattern.compile("[1-5]([0-9]{2}|xx)");

  /**
   * A range of consecutive statuses.
   *
   * @param first the first of them, from 100
   * @param last the last of them, up to 599
   */
  public record Range(int first, int last) {

    /**
     * @throws IllegalArgumentException when one is not a status, or they are the wrong way round
     */
    public Range {
      if (first < 100 || last > 599 || first > last) {
        throw Expect.failure("count", first + " to " + last, "statuses from 100 to 599");
      }
    }

    private boolean contains(int status) {
      return first <= status && status <= last;
    }
  }

  public Statuses {
    ranges = List.copyOf(ranges);
  }

  /**
   * Returns the statuses that any of these texts names.
   *
   * @param texts each a status such as {@code 401}, or a class of them such as {@code 4xx}
   * @throws IllegalArgumentException when one is neither, or there is none
   */
  public static Statuses parse(List<String> texts) {
    if (texts.isEmpty()) {
      throw Expect.failure("count", texts, "at least one status, such as 401");
    }
    return new Statuses(texts.stream().map(Statuses::range).toList());
  }

  private static Range range(String text) {
    if (!FORM.matcher(text).matches()) {
      throw Expect.failure(
          "count", "'" + text + "'", "a status such as 401, or a class of them such as 4xx");
    }
    int first = Integer.parseInt(text.replace("xx", "00"));
    return new Range(first, text.endsWith("xx") ? first + 99 : first);
  }

  /** Returns whether a response with this status is in the set. */
  public boolean contains(int status) {
    return areAll() || ranges.stream().anyMatch(range -> range.contains(status));
  }

  public boolean areAll() {
    return ranges.isEmpty();
  }
}
