package dev.weir.redis;

import dev.weir.redis.internal.client.Breaker;
import dev.weir.redis.internal.client.PrimaryClient;
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
   * @param window how many batches may be in flight at present; 0 while not connected
   */
  public record Primary(String address, Breaker breaker, int window) {

    static Primary of(PrimaryClient client) {
      return new Primary(
          client.address().toString(), Breaker.of(client.breaker()), client.window());
    }
  }

  /** The state of a breaker. */
  public enum Breaker {
    /** Redis decides. */
    CLOSED,
    /** Redis is out: decisions are refused at once, and probes try to write. */
    OPEN,
    /** Still open, but the last probe wrote: after three in a row the breaker closes. */
    HALF_OPEN;

    private static Breaker of(dev.weir.redis.internal.client.Breaker breaker) {
      if (breaker instanceof dev.weir.redis.internal.client.Breaker.Open open) {
        return open.passed() > 0 ? HALF_OPEN : OPEN;
      }
      return CLOSED;
    }
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
