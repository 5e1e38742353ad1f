package dev.weir.redis;

import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reply as our scripts make it. Anything else comes from a proxy, or from something that is no
 * Redis: it is no answer, and nothing that is counted on a request's thread may trip over it.
 */
final class Reply {

  private static final int OUTSIDE_FIELDS = 2;
  private static final Duration RETRY = Duration.ofSeconds(1);

  private Reply() {}

  /**
   * Five integers for each of so many charges, or the two that tell the server's time.
   *
   * @throws StoreUnavailableException when it is neither
   */
  static List<Long> of(@Nullable Object reply, int charges) throws StoreUnavailableException {
    List<Long> integers = new ArrayList<>();
    if (reply instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof Long number) {
          integers.add(number);
        }
      }
      if (integers.size() == list.size() && isOurs(integers, charges)) {
        return integers;
      }
    }
    throw new StoreUnavailableException(
        "redis: replied what no script of ours does (expected: "
            + Answer.FIELDS
            + " integers for each of "
            + charges
            + " counters)",
        RETRY,
        null);
  }

  private static boolean isOurs(List<Long> reply, int charges) {
    if (reply.size() == OUTSIDE_FIELDS) {
      return Answer.isOutside(reply);
    }
    if (reply.size() != Answer.FIELDS * charges) {
      return false;
    }
    for (int i = 0; i < reply.size(); i++) {
      long least = i % Answer.FIELDS == 0 ? Answer.NEVER : 0;
      long most = i % Answer.FIELDS == 0 ? Answer.FITS : Long.MAX_VALUE;
      if (reply.get(i) < least || reply.get(i) > most) {
        return false;
      }
    }
    return true;
  }
}
