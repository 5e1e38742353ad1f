package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Primaries that a scout looks for, beside the requests.
 *
 * <p>Whatever makes a client holds this object's lock, and makes none once it is closed: no client
 * outlives it.
 */
abstract sealed class Scouted implements Topology permits Sentinels, Cluster {

  final RedisUri uri;
  final PrimarySettings settings;
  private final Scout scout;
  private boolean closed;

  /**
   * @param interval how often to look while all is well
   */
  Scouted(RedisUri uri, PrimarySettings settings, Duration interval) {
    this.uri = uri;
    this.settings = settings.onDoubt(this::lookSoon);
    scout = new Scout(uri.toString(), this::look, this::isHealthy, interval, settings.reports());
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
    return clients().stream()
        .filter(client -> !client.isHealthy())
        .map(PrimaryClient::nextProbe)
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
    clients().forEach(PrimaryClient::close);
  }

  @Override
  public void join(long millis) throws InterruptedException {
    scout.join(millis);
    for (PrimaryClient client : clients()) {
      client.join(millis);
    }
  }

  /** No primary has made the call. */
  final StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return new StoreUnavailableException(
        "redis: " + uri + ": " + why,
        scout.interval(),
        new NotSentException(why, Kind.OUTAGE, cause));
  }
}
