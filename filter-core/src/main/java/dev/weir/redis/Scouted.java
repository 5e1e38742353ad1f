package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Primaries that a scout looks for, beside the requests.
 *
 * <p>Whatever makes a lane holds this object's lock, and makes none once it is closed: no lane
 * outlives it.
 */
abstract sealed class Scouted implements Topology permits Sentinels, Cluster {

  final RedisUri uri;
  final LaneParts parts;
  private final Scout scout;
  private boolean closed;

  /**
   * @param interval how often to look while all is well
   */
  Scouted(RedisUri uri, LaneParts parts, Duration interval) {
    this.uri = uri;
    this.parts = parts.onDoubt(this::lookSoon);
    scout = new Scout(uri.toString(), this::look, this::isHealthy, interval, parts.reports());
  }

  /** Finds the primaries and takes them over, or throws. */
  abstract void look();

  /** Begins to look; comes last in a constructor. */
  final void startLooking() {
    scout.start();
  }

  /** What is known may be out of date: looks soon. */
  final void lookSoon() {
    scout.nudge();
  }

  /**
   * What is known; before the first find, waits for that.
   *
   * @throws StoreUnavailableException when it is not known by the deadline
   */
  final <T> T found(Supplier<@Nullable T> known, Deadline deadline)
      throws StoreUnavailableException {
    @Nullable T found = known.get();
    if (found == null) {
      scout.await(deadline);
      found = known.get();
    }
    if (found == null) {
      throw unavailable("no primary is known", null);
    }
    return found;
  }

  @Override
  public final Duration nextProbe() {
    return lanes().stream()
        .filter(lane -> !lane.isHealthy())
        .map(Lane::nextProbe)
        .min(Duration::compareTo)
        .orElse(scout.interval());
  }

  /** To be asked under the lock. */
  final boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    scout.close();
    lanes().forEach(Lane::close);
  }

  @Override
  public void join(long millis) throws InterruptedException {
    scout.join(millis);
    for (Lane lane : lanes()) {
      lane.join(millis);
    }
  }

  /** No primary has made the call. */
  final StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return new StoreUnavailableException(
        "redis: " + uri + ": " + why, scout.interval(), new NothingDone(why, cause));
  }
}
