package dev.weir;

/** How a decision came about. */
public enum Source {
  /** By the counters that all nodes share. */
  REDIS,
  /** From permits that this node holds for the moment. */
  LEASE,
  /** From a denial remembered in this process. */
  DENY_CACHE,
  /** By this process alone: because it is the store, or because the shared one is gone. */
  LOCAL,
  /** Passed by the outage policy, uncounted. */
  OPEN,
  /** Denied by the outage policy, uncounted. */
  CLOSED,
  /** By a rule for who the client is, uncounted. */
  RULE
}
