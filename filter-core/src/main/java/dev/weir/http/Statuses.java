package dev.weir.http;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Responses, told apart by their status.
 *
 * @param ranges a response belongs here when its status is in one of them; without any, all do
 */
public record Statuses(List<Range> ranges) {

  /** Every response. */
  public static final Statuses ALL = new Statuses(List.of());

  private static final Pattern CODE = Pattern.compile("[1-5][0-9]{2}");
  private static final Pattern CLASS = Pattern.compile("[1-5]xx");

  /**
   * Statuses that follow one another.
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
   * Those that one of these texts names.
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
    if (CODE.matcher(text).matches()) {
      int status = Integer.parseInt(text);
      return new Range(status, status);
    }
    if (CLASS.matcher(text).matches()) {
      int first = (text.charAt(0) - '0') * 100;
      return new Range(first, first + 99);
    }
    throw Expect.failure(
        "count",
        "'" + Expect.printable(text) + "'",
        "a status such as 401, or a class of them such as 4xx");
  }

  /** Whether a response of this status belongs here. */
  public boolean contains(int status) {
    return areAll() || ranges.stream().anyMatch(range -> range.contains(status));
  }

  boolean areAll() {
    return ranges.isEmpty();
  }
}
