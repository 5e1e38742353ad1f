package dev.weir;

/** How a request stands to the quota of its period. */
public enum Quota {
  /** Allowed, and more would fit. */
  ALLOWED,
  /** Allowed, and the last that fits: nothing of the quota is left. */
  HIT_QUOTA,
  /** Denied: the request does not fit what is left, or the store is gone and the policy denies. */
  OVER_QUOTA;

  /** What a decision says of the quota that binds it. */
  public static Quota of(Decision decision) {
    if (!decision.allowed()) {
      return OVER_QUOTA;
    }
    return decision instanceof Decision.Counted counted && counted.remaining() == 0
        ? HIT_QUOTA
        : ALLOWED;
  }
}
