package dev.weir.local;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Divides the room of a shard among the limits, so that who floods one of them takes no room from
 * the others.
 *
 * <p><b>Model.</b> A counter stays until it is full again, be that at midnight, and none is ever
 * evicted: room once given cannot be asked back. So each limit is given its part and no more. Of
 * room for C counters, n limits may hold C/n each, and at least one. Here n is how many limits are
 * announced or, if these are more, how many hold a counter at the moment, the one that asks among
 * them.
 *
 * <p><b>Invariant.</b> A limit that holds fewer than C/n counters gets room, whatever the others
 * hold. All together hold at most C, but for rounding up to one, as long as no limit comes that was
 * not announced. One that does makes everybody's part smaller and yet finds them as full as they
 * are; even so k limits hold at most C·(1 + 1/2 + … + 1/k), which is less than C·(1 + ln k). For
 * order them by when each was last given room: what the first j - 1 hold they held then too, so the
 * j-th was one of at least j limits, and was given no more than C/j.
 *
 * <p><b>Example.</b> There is room for 6,250 counters, and four limits are announced: flood, login,
 * api and daily, a window. Each has 1,562. Somebody sends a hundred thousand made-up API keys:
 * those of api leave at once, and those of daily fill its part until midnight. From then on new
 * keys share the overflow of daily, while flood and login still count 1,562 addresses each.
 *
 * <p>Not thread-safe: the shard's lock guards it.
 */
final class Allotment {

  private final Map<String, Integer> held = new HashMap<>();
  private final IntSupplier capacity;
  private final IntSupplier announced;

  /**
   * @param capacity how many counters there is room for; where it becomes less, what is held stays
   * @param announced how many limits there are at least, as far as anybody knows
   */
  Allotment(IntSupplier capacity, IntSupplier announced) {
    this.capacity = capacity;
    this.announced = announced;
  }

  /** Whether a limit's part has room for so many more. */
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
