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
 * Primaries that are found in the background.
 *
 * <p>Code that creates a client holds this object's lock, and creates none after the close. So no
 * client outlives it.
 */
abstract sealed class RefreshedTopology implements Topology permits Sentinels, Cluster {

  final RedisUri uri;
  final PrimarySettings settings;
  final Probes probes;
  private final TopologyRefresher refresher;
  private boolean closed;

  /**
   * @param interval the time between refreshes while all primaries are healthy
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

  /** Finds the primaries and uses them from then on, or throws. */
  abstract void refresh();

  /** Runs after each refresh that has found the primaries. No call waits for it. */
  void refreshed() {}

  /** Returns the poll of the servers that name the primaries. It is closed with this topology. */
  abstract HostPoll<?> poll();

  /** Starts the refreshes. A constructor calls it last. */
  final void startRefreshing() {
    refresher.start();
  }

  /** Requests a refresh soon, because the known topology may be out of date. */
  final void refreshSoon() {
    refresher.refreshSoon();
  }

  /**
   * Returns the known value. Before the first refresh, it waits for one.
   *
   * @throws StoreUnavailableException when there is none by the deadline
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

  /** Returns whether this is closed. The caller must hold the lock. */
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

  /** Returns a failure: no primary has run the call. */
  final StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return refresher.unavailable(why, cause);
  }

  /** Returns a failure of another kind: no primary has run the call. */
  final StoreUnavailableException unavailable(String why, Kind kind, @Nullable Throwable cause) {
    return refresher.unavailable(why, kind, cause);
  }
}
