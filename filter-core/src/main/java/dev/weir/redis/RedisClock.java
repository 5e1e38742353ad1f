package dev.weir.redis;

/** The clock that decides. */
public enum RedisClock {
  /** The clock of the Redis server ({@code TIME}): one clock for all nodes. */
  REDIS,
  /**
   * The clock of each node, for servers that forbid {@code TIME} in scripts. A node with a clock
   * ahead by d sees every counter d older than it is. So it may allow r·d more than the limit,
   * once. A node with a clock behind waits for the time of the others, and allows no more than they
   * do.
   */
  NODE
}
