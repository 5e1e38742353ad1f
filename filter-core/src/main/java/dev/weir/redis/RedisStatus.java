package dev.weir.redis;

import dev.weir.redis.internal.client.BreakerState;
import dev.weir.redis.internal.client.PrimaryClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a Redis store stands.
 *
 * @param primaries those that decide, empty before any was found
 * @param batches how many were sent since the store was opened, each of one call or more
 * @param calls how many they had: decisions, refunds, renewals and the like
 * @param liveNodes how many nodes share the limits, as last heard from Redis; at least 1
 */
public record RedisStatus(List<Primary> primaries, long batches, long calls, int liveNodes) {

  /**
   * One primary.
   *
   * @param address host and port
   * @param breaker whether its breaker is closed (it decides) or open (it is probed)
   * @param window how many batches may be in flight at present; 0 while not connected
   * @param waiting how many calls wait to be sent
   * @param roundTrip the shortest of late, which the window follows; empty while not connected
   */
  public record Primary(
      String address, Breaker breaker, int window, int waiting, Optional<Duration> roundTrip) {

    static Primary of(PrimaryClient client) {
      return new Primary(
          client.address().toString(),
          Breaker.of(client.breaker()),
          client.window(),
          client.waiting(),
          client.roundTrip());
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

    private static Breaker of(BreakerState breaker) {
      if (breaker instanceof BreakerState.Open open) {
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
