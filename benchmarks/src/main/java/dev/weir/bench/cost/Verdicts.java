package dev.weir.bench.cost;

import java.util.List;

/** What the naive script has decided while it was measured: a denial costs less than a grant. */
final class Verdicts {

  /** A sliding window grants now and then while it is full: this part at most. */
  private static final double MOST_GRANTED = 0.01;

  private long granted;
  private long denied;

  /** Counts replies, of which the first element is 1 for a grant. */
  void add(List<Object> replies) {
    for (Object reply : replies) {
      if (Long.valueOf(1).equals(((List<?>) reply).get(0))) {
        granted++;
      } else {
        denied++;
      }
    }
  }

  /**
   * @throws IllegalStateException on any denial
   */
  void requireGrants() {
    if (denied > 0 || granted == 0) {
      throw failure("grants alone");
    }
  }

  /**
   * @throws IllegalStateException on more than a few grants
   */
  void requireDenials() {
    if (denied == 0 || granted > MOST_GRANTED * denied) {
      throw failure("nearly all denials");
    }
  }

  private IllegalStateException failure(String expected) {
    return new IllegalStateException(
        "naive-lua: %d grants, %d denials (expected: %s)".formatted(granted, denied, expected));
  }
}
