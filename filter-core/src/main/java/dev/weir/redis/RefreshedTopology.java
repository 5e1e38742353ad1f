package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Primaries that are looked up in the background.
 *
 * <p>Whatever makes a client holds this object's lock, and makes none once it is closed: no client
 * outlives it.
 */
abstract sealed class RefreshedTopology implements Topology permits Sentinels, Cluster {

  final RedisUri uri;
  final PrimarySettings settings;
  final Probes probes;
  private final TopologyRefresher refresher;
  private boolean closed;

  /**
   * @param interval how often to refresh while all is well
   */
  RefreshedTopology(RedisUri uri, PrimarySettings settings, Probes probes, Duration interval) {
    this.uri = uri;
    this.probes = probes;
    this.settings = settings.withOnTopologySuspect(this::refreshSoon);
    refresher =
        new TopologyRefresher(
            uri.toString(),
            this::refresh,
            this::refreshed,
            this::isHealthy,
            interval,
            settings.reports());
  }

  /** Finds the primaries and takes them over, or throws. */
  abstract void refresh();

  /** Comes after each refresh that has found the primaries; no call waits for it. */
  void refreshed() {}

  /** Asks the servers by which the primaries are found; closed with this. */
  abstract HostPoll<?> poll();

  /** Begins to refresh; comes last in a constructor. */
  final void startRefreshing() {
    refresher.start();
  }

  /** What is known may be out of date: refreshes it soon. */
  final void refreshSoon() {
    refresher.refreshSoon();
  }

  /**
   * What is known; before the first result, waits for that.
   *
   * @throws StoreUnavailableException when it is not known by the deadline
   */
  final <T> T found(Supplier<@Nullable T> known, Deadline deadline)
      throws StoreUnavailableException {
    @Nullable T found = known.get();
    if (found == null) {
      refresher.await(deadline);
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
        .orElse(refresher.interval());
  }

  /** To be asked under the lock. */
  final boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    poll().close();
    synchronized (this) {
      closed = true;
    }
    refresher.close();
    clients().forEach(PrimaryClient::close);
  }

  @Override
  public void join(long millis) throws InterruptedException {
    poll().join(millis);
    refresher.join(millis);
    for (PrimaryClient client : clients()) {
      client.join(millis);
    }
  }

  /** No primary has made the call. */
  final StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return refresher.unavailable(why, cause);
  }

  /** The same for another reason than that there is none. */
  final StoreUnavailableException unavailable(String why, Kind kind, @Nullable Throwable cause) {
    return refresher.unavailable(why, kind, cause);
  }
}
