package dev.weir.store;

/** The way in which a decision was made. */
public enum Source {
  /** By the counters that all nodes share. */
  REDIS,
  /** From permits that this node has leased for a short time. */
  LEASE,
  /** From a denial remembered in this process. */
  DENY_CACHE,
  /**
   * By this process alone: it is the store, or the shared store is out or did not decide in time.
   * The latter may be true of a single request, while the shared store decides all others.
   */
  LOCAL,
  /** Allowed by the outage policy, uncounted. */
  FAIL_OPEN,
  /** Denied by the outage policy, uncounted. */
  FAIL_CLOSED
}
