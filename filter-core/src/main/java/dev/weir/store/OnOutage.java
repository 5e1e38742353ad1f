package dev.weir.store;

import java.util.Locale;

/** The policy while the shared store cannot decide. A later constant is stricter. */
public enum OnOutage {
  /** Allows, and reports it as {@link Source#FAIL_OPEN}. */
  ALLOW,
  /**
   * Limits in process, each node with its share: the store's fallback decides, and starts with full
   * limits. A store without a fallback denies.
   */
  LOCAL,
  /** Denies, and reports it as {@link Source#FAIL_CLOSED}. */
  DENY;

  /** Returns the policy that applies when both do. */
  public OnOutage strictest(OnOutage other) {
    return compareTo(other) >= 0 ? this : other;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
