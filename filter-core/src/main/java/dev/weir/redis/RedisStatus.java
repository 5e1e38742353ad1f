package dev.weir.redis;

import dev.weir.redis.internal.client.BreakerState;
import dev.weir.redis.internal.client.PrimaryClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The state of a Redis store.
 *
 * @param primaries the primaries that decide; empty before the first is found
 * @param batches the number of batches sent since the store was opened, each of one call or more
 * @param calls the number of calls in them: decisions, refunds, renewals and the like
 * @param liveNodes the number of nodes that share the limits, as last returned by Redis; at least
 *     1, and 1 for an observer
 * @param lostNodes the number of nodes that were lost within the last ten minutes: they did not
 *     leave in order, and no longer beat. The shares of a limit still count them. 0 for an observer
 * @param clockSkew how far the clock of Redis is ahead of this node's, as of the last heartbeat;
 *     negative if it is behind. The error is at most half the round trip. Empty before the first
 *     heartbeat, for an observer, and where the clock of the node decides
 */
public record RedisStatus(
    List<Primary> primaries,
    long batches,
    long calls,
    int liveNodes,
    int lostNodes,
    Optional<Duration> clockSkew) {

  /**
   * One primary.
   *
   * @param address host and port
   * @param breaker whether its breaker is closed (it decides) or open (it is probed)
   * @param trouble why it does not decide, as Redis or its connection has reported; empty while it
   *     does
   * @param window the number of batches that may be in flight at present; 0 while not connected
   * @param waiting the number of queued calls
   * @param roundTrip the shortest round trip since the last outage, which the window follows; empty
   *     while not connected
   */
  public record Primary(
      String address,
      Breaker breaker,
      Optional<String> trouble,
      int window,
      int waiting,
      Optional<Duration> roundTrip) {

    static Primary of(PrimaryClient client) {
      return new Primary(
          client.address().toString(),
          Breaker.of(client.breaker()),
          client.trouble(),
          client.window(),
          client.waiting(),
          client.roundTrip());
    }
  }

  /** The state of a breaker. */
  public enum Breaker {
    /** Redis decides. */
    CLOSED,
    /** Redis is unavailable: decisions fail at once, and probes try to write. */
    OPEN,
    /**
     * Still open, but the last probe has written. After three such probes in a row the breaker
     * closes.
     */
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

  /** Returns the number of primaries with a breaker in this state. */
  public long primaries(Breaker state) {
    return primaries.stream().filter(primary -> primary.breaker() == state).count();
  }

  /** Returns the number of batches that may be in flight at present, over all primaries. */
  public int window() {
    return primaries.stream().mapToInt(Primary::window).sum();
  }

  /** Returns the number of queued calls, over all primaries. */
  public int waiting() {
    return primaries.stream().mapToInt(Primary::waiting).sum();
  }

  /** Returns the longest {@link Primary#roundTrip} of all primaries; 0 while none is connected. */
  public Duration roundTrip() {
    return primaries.stream()
        .flatMap(primary -> primary.roundTrip().stream())
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /**
   * Returns how many primaries do not decide, or 1 while none is known, as before a Sentinel or a
   * node of a Cluster has replied. So it is 0 exactly while Redis decides everything.
   */
  public int primariesOut() {
    return primaries.isEmpty() ? 1 : (int) (primaries.size() - primaries(Breaker.CLOSED));
  }

  /** Returns whether every known primary decides. */
  public boolean isHealthy() {
    return primariesOut() == 0;
  }
}
