package dev.weir.http;

import dev.weir.internal.Expect;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The settings of overload control: how many requests a node serves at once. The node sheds further
 * requests before they exhaust it. The number adapts to the latency of requests.
 *
 * @param start the number at first
 * @param from the smallest number, at least 1
 * @param to the largest number
 * @param shed the requests that are counted, and shed when there are too many; the others pass
 * @param reserved the share of the number, in percent, for requests that the rule of this name
 *     matches
 * @param isShadow whether the node only observes which requests it would shed, and serves them
 */
public record Overload(
    int start,
    int from,
    int to,
    RequestMatcher shed,
    Map<String, Integer> reserved,
    boolean isShadow) {

  /** The upper bound of the number. It is more than any node serves at once. */
  public static final int MOST_REQUESTS = 100_000;

  private static final int MOST_PERCENT = 99;

  /**
   * @throws IllegalArgumentException unless 1 ≤ from ≤ start ≤ to ≤ 100 000, shares are from 1 to
   *     99 percent, and they leave something for other requests, whatever the number
   */
  public Overload {
    Objects.requireNonNull(shed, "shed");
    reserved = Map.copyOf(reserved);
    Expect.positive("from", from);
    if (to < from) {
      throw Expect.failure("to", to, "at least " + from + ", which is from");
    }
    if (start < from || start > to) {
      throw Expect.failure("start", start, "from " + from + " to " + to);
    }
    if (to > MOST_REQUESTS) {
      throw Expect.failure("to", to, "at most " + MOST_REQUESTS);
    }
    new TreeMap<>(reserved)
        .forEach(
            (rule, percent) -> {
              if (percent < 1 || percent > MOST_PERCENT) {
                throw Expect.failure(
                    "reserved",
                    percent + "% for '" + rule + "'",
                    "from 1% to " + MOST_PERCENT + "%");
              }
            });
    for (int number = from; number <= to; number++) {
      int requests = number;
      int sum = reserved.values().stream().mapToInt(percent -> share(percent, requests)).sum();
      if (sum >= number && sum > 0) {
        throw Expect.failure(
            "reserved",
            sum + " of " + number + " requests",
            "fewer, for others need one at least; a share is rounded down, but to 1 at least");
      }
    }
  }

  /** Creates settings by which the node sheds requests. */
  public Overload(int start, int from, int to, RequestMatcher shed, Map<String, Integer> reserved) {
    this(start, from, to, shed, reserved, false);
  }

  /** Returns the same, by which the node only observes. */
  public Overload asShadow() {
    return new Overload(start, from, to, shed, reserved, true);
  }

  /**
   * Returns how many of this number of requests are reserved for the rule. At least one if the rule
   * has a share.
   */
  int reserved(String rule, int number) {
    Integer percent = reserved.get(rule);
    return percent == null ? 0 : share(percent, number);
  }

  private static int share(int percent, int number) {
    return (int) Math.max(1, (long) number * percent / 100);
  }
}
