package dev.weir.local;

import dev.weir.Window;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a fixed window: from a state and a time to the next state. It knows no quota:
 * what is granted is decided before.
 *
 * @param used permits granted in the window in use
 * @param ending when that window ends; null when no window is in use
 */
record WindowState(long used, @Nullable WindowEnd ending) {

  static final WindowState UNUSED = new WindowState(0, null);

  /** The state when time has passed until now. */
  WindowState at(Moment now) {
    return ending != null && ending.isPast(now) ? UNUSED : this;
  }

  /** The state, of now, with so many permits taken: the first opens a window. */
  WindowState taking(long permits, Window window, Moment now) {
    WindowEnd end = ending == null ? WindowEnd.of(window, now) : ending;
    return new WindowState(used + permits, end);
  }

  /** The state with permits returned, if they were granted by the window that is in use. */
  WindowState returning(long permits, long stamp) {
    return stamp() == stamp ? rewarded(permits) : this;
  }

  /** The state with permits returned, whoever took them. */
  WindowState rewarded(long permits) {
    return new WindowState(Math.max(0, used - permits), ending);
  }

  long nanosLeft(Moment now) {
    return ending == null ? 0 : ending.nanosLeft(now);
  }

  long stamp() {
    return ending == null ? 0 : ending.stamp();
  }
}
