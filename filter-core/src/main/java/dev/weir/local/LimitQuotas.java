package dev.weir.local;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Divides the capacity of a shard among the limits, so that a flood on one limit takes no capacity
 * from the others.
 *
 * <p><b>Model.</b> A counter stays until it is full again, even if that is at midnight, and is
 * never evicted. Capacity that was given cannot be reclaimed, so each limit is given only its part.
 * Of the capacity for C counters, n limits may hold C/n each, and at least one. Here n is the
 * larger of two numbers. One is the number of announced limits. The other is the number of limits
 * that now hold a counter, including the requesting one.
 *
 * <p><b>Invariant.</b> A limit that holds fewer than C/n counters gets capacity, whatever the
 * others hold. All limits together hold at most C, apart from rounding up to one, as long as every
 * limit was announced before any was given capacity. A limit that is announced later, or never,
 * reduces every part, but the other limits keep what they hold. Even so, k limits hold at most C·(1
 * + 1/2 + … + 1/k), which is less than C·(1 + ln k). This is for a constant C: what was given is
 * kept when C decreases. Proof: order the limits by when each was last given capacity. What the
 * first j - 1 limits hold now, they already held when the j-th was last given capacity. The j-th
 * was then one of at least j limits, so it was given no more than C/j.
 *
 * <p><b>Example.</b> There is capacity for 6,250 counters, and four limits are announced: flood,
 * login, api and daily, a window. Each has 1,562. A client sends a hundred thousand made-up API
 * keys. The keys of api are removed at once, and those of daily fill its part until midnight. From
 * then on new keys share the overflow of daily, while flood and login still count 1,562 addresses
 * each.
 *
 * <p>Not thread-safe: the shard's lock guards it.
 */
final class LimitQuotas {

  private final Map<String, Integer> held = new HashMap<>();
  private final IntSupplier capacity;
  private final IntSupplier announced;

  /**
   * @param capacity the maximum number of counters; existing counters stay when it decreases
   * @param announced the least number of limits, as far as known
   */
  LimitQuotas(IntSupplier capacity, IntSupplier announced) {
    this.capacity = capacity;
    this.announced = announced;
  }

  /** Returns whether a limit's part has capacity for so many more counters. */
  boolean hasRoom(String limit, int newcomers) {
    return held.getOrDefault(limit, 0) + newcomers <= part(limit);
  }

  private int part(String limit) {
    int holders = held.containsKey(limit) ? held.size() : held.size() + 1;
    return Math.max(1, capacity.getAsInt() / Math.max(holders, announced.getAsInt()));
  }

  void give(String limit) {
    held.merge(limit, 1, Integer::sum);
  }

  void takeBack(String limit) {
    held.computeIfPresent(limit, (name, counters) -> counters == 1 ? null : counters - 1);
  }
}
