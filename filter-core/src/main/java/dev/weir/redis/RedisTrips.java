package dev.weir.redis;

/** How decisions travel to Redis. */
public enum RedisTrips {

  /**
   * Those that come while others are on their way leave together, in one call of one script that
   * decides all of them. The keys of a call are then computed, which some proxies forbid.
   */
  SHARED,

  /** Each in a call of its own. */
  ALONE
}
