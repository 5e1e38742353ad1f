package dev.weir.redis;

import java.util.List;

/**
 * How a Redis store stands.
 *
 * @param primaries those that decide, empty before any was found
 * @param liveNodes how many nodes share the limits, as last heard from Redis; at least 1
 */
public record RedisStatus(List<Primary> primaries, int liveNodes) {

  /**
   * One primary.
   *
   * @param address host and port
   * @param breaker whether its breaker is closed (it decides) or open (it is probed)
   */
  public record Primary(String address, Breaker breaker) {}

  /** The state of a breaker. */
  public enum Breaker {
    /** Redis decides. */
    CLOSED,
    /** Redis is out: decisions are refused at once, and probes try to write. */
    OPEN,
    /** Still open, but the last probe wrote: after three in a row the breaker closes. */
    HALF_OPEN
  }

  public RedisStatus {
    primaries = List.copyOf(primaries);
  }

  /** Whether every primary known decides. */
  public boolean isHealthy() {
    return !primaries.isEmpty()
        && primaries.stream().allMatch(primary -> primary.breaker() == Breaker.CLOSED);
  }
}
