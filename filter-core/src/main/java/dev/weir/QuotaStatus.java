package dev.weir;

import dev.weir.store.Decision;

/** How much of its period's quota a request has left. */
public enum QuotaStatus {
  /** Allowed, and more would fit. */
  ALLOWED,
  /** Allowed, and the last that fits: nothing of the quota is left. */
  HIT_QUOTA,
  /** Denied: the request does not fit what is left, or the store is gone and the policy denies. */
  OVER_QUOTA;

  /** Returns the status of the quota that binds a decision. */
  public static QuotaStatus of(Decision decision) {
    if (!decision.allowed()) {
      return OVER_QUOTA;
    }
    return decision.remaining().orElse(Long.MAX_VALUE) == 0 ? HIT_QUOTA : ALLOWED;
  }
}
