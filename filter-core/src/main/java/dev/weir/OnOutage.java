package dev.weir;

import java.util.Locale;

/** What holds while the shared store cannot decide; the later constant is the stricter one. */
public enum OnOutage {
  /** Pass, and say so: {@link Source#OPEN}. */
  ALLOW,
  /** Limit in process, each node with its share. */
  LOCAL,
  /** Deny, and say so: {@link Source#CLOSED}. */
  DENY;

  /** What holds when both apply. */
  public OnOutage strictest(OnOutage other) {
    return compareTo(other) >= 0 ? this : other;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
