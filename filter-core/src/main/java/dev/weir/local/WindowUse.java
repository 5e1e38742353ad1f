package dev.weir.local;

import dev.weir.limit.Window;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a fixed window, from a state and a time to the next state. It has no quota,
 * because callers decide before they take permits.
 *
 * @param used permits acquired in the window in use
 * @param ending when that window ends; null when no window is in use
 */
record WindowUse(long used, @Nullable WindowEnd ending) {

  static final WindowUse UNUSED = new WindowUse(0, null);

  /** Returns the state after time has advanced to now. */
  WindowUse at(Now now) {
    return ending != null && ending.isPast(now) ? UNUSED : this;
  }

  /** Returns the current state with so many permits taken. The first permits open a window. */
  WindowUse taking(long permits, Window window, Now now) {
    WindowEnd end = ending == null ? WindowEnd.of(window, now) : ending;
    return new WindowUse(used + permits, end);
  }

  /** Returns the state with permits refunded, if they were acquired in the window in use. */
  WindowUse returning(long permits, long stamp) {
    return stamp() == stamp ? rewarded(permits) : this;
  }

  /** Returns the state with permits returned, whichever request took them. */
  WindowUse rewarded(long permits) {
    return new WindowUse(Math.max(0, used - permits), ending);
  }

  long nanosLeft(Now now) {
    return ending == null ? 0 : ending.nanosLeft(now);
  }

  long stamp() {
    return ending == null ? 0 : ending.stamp();
  }
}
