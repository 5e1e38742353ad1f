package dev.weir.redis;

/** Whose clock decides. */
public enum RedisClock {
  /** The Redis server's ({@code TIME}): one clock for all nodes. */
  REDIS,
  /**
   * Each node's own, for servers that forbid {@code TIME} in scripts. A node whose clock is ahead
   * by d sees every counter d older than it is, and so may admit r·d more than the limit once; one
   * whose clock is behind waits for the others' time and admits no more than them.
   */
  NODE
}
