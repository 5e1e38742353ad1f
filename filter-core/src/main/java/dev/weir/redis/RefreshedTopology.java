package dev.weir.redis;

import dev.weir.redis.internal.client.Background;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.client.OutageReason;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Primaries that are found in the background. A thread refreshes often while a primary is
 * unavailable, and now and then while all are healthy. Calls wait for the first result until their
 * deadline at most. After a failed refresh or a time-out of a call, further calls do not wait.
 *
 * <p>Code that creates a client holds this object's lock, and creates none after the close. So no
 * client outlives it.
 */
abstract non-sealed class RefreshedTopology implements Topology {

  private static final Duration INTERVAL_IN_TROUBLE = Duration.ofMillis(300);

  private static final String LATE = "not found by the deadline";

  final RedisUri uri;
  final PrimarySettings settings;
  final Probes probes;
  private final Duration interval;
  private final Background pollers;
  private final Set<Host> beingPolled = ConcurrentHashMap.newKeySet();
  private final Background background;

  /** Refreshes from its start on, which is the last that a constructor does. */
  final PeriodicTask refreshes;

  private final CompletableFuture<Boolean> firstRefresh = new CompletableFuture<>();

  /** Clients of former primaries, which are closed soon. */
  private final Set<PrimaryClient> retiring = ConcurrentHashMap.newKeySet();

  private volatile @Nullable String trouble;

  /**
   * What the log has as the reason of the outage of all primaries, when the first refresh has
   * failed; null while there is none.
   */
  private volatile @Nullable OutageReason reported;

  /** The number of decisions for which no primary was found. */
  private final LongAdder decidedWithout = new LongAdder();

  private boolean closed;

  /**
   * @param interval the time between refreshes while all primaries are healthy
   * @param pollers the number of threads that query servers
   */
  RefreshedTopology(
      RedisUri uri,
      PrimarySettings settings,
      Probes probes,
      Duration interval,
      int pollers,
      String pollersName) {
    this.uri = uri;
    this.probes = probes;
    this.interval = interval;
    this.pollers = new Background(pollersName, pollers, settings.reports().listener());
    background = new Background("weir-redis-topology", 1, settings.reports().listener());
    refreshes = new PeriodicTask(background, this::refreshAndReport);
    this.settings = settings.withOnTopologySuspect(refreshes::runSoon);
  }

  /** Returns the client of the primary that has this slot; null before it is known. */
  abstract @Nullable PrimaryClient client(int slot);

  /** Finds the primaries and uses them from then on, or throws. */
  abstract void refresh();

  /** Runs after each refresh that has found the primaries. No call waits for it. */
  void refreshed() {}

  /** Starts a poll. Each server has at most one query at a time, in whatever poll. */
  final <T> HostPoll<T> poll(Function<Host, T> query) {
    return new HostPoll<>(pollers, beingPolled, query);
  }

  private Duration refreshAndReport() {
    try {
      refresh();
      trouble = null;
      firstRefresh.complete(true);
      if (reported != null) {
        reported = null;
        settings.reports().outageEnded(uri.toString(), decidedWithout.sum());
      }
      refreshed();
    } catch (RuntimeException e) {
      OutageReason why = OutageReason.of(e);
      trouble = why.toString();
      if (reported != null && why.saysMoreThan(reported)) {
        reported = why;
        settings.reports().outageExplained(uri.toString(), why);
      } else if (!firstRefresh.isDone() && reported == null) {
        reported = why;
        settings.reports().outageBegan(uri.toString(), trouble, 0);
      }
    }
    return trouble == null && isHealthy() ? interval : INTERVAL_IN_TROUBLE;
  }

  /** Returns the known value for a call. Before the first refresh, it waits until the deadline. */
  final <T> T found(Supplier<@Nullable T> known, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    @Nullable T value = known.get();
    try {
      if (value == null) {
        awaitRefresh(deadline);
        value = known.get();
      }
      if (value == null) {
        throw unavailable("no primary is known", null);
      }
      return value;
    } catch (StoreUnavailableException e) {
      if (call.operation().isDecision()) {
        decidedWithout.increment();
      }
      throw e;
    }
  }

  private void awaitRefresh(Deadline deadline) throws StoreUnavailableException {
    if (firstRefresh.isDone() && !firstRefresh.isCompletedExceptionally()) {
      return;
    }
    @Nullable String why = trouble;
    if (why != null) {
      throw unavailable(why, null);
    }
    boolean interrupted = false;
    try {
      boolean isRefreshed = false;
      while (!isRefreshed) {
        try {
          isRefreshed = firstRefresh.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true; // it ends no wait for a decision
        }
      }
    } catch (TimeoutException e) {
      trouble = LATE;
      throw unavailable(LATE, e);
    } catch (ExecutionException e) {
      throw unavailable("closed", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns a failure: no primary has run the call. */
  final StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return unavailable(why, Kind.OUTAGE, cause);
  }

  final StoreUnavailableException unavailable(String why, Kind kind, @Nullable Throwable cause) {
    return new StoreUnavailableException(
        "redis: " + uri + ": " + why,
        kind,
        INTERVAL_IN_TROUBLE,
        new NotSentException(why, kind, cause));
  }

  @Override
  public final @Nullable Host primary(int slot) {
    @Nullable PrimaryClient client = client(slot);
    return client == null ? null : client.address();
  }

  @Override
  public final boolean isConnecting() {
    return (!firstRefresh.isDone() && reported == null) || Topology.super.isConnecting();
  }

  @Override
  public final void post(int slot, ScriptCall refund) {
    @Nullable PrimaryClient client = client(slot);
    if (client == null) {
      settings.unsettled().addUnsent(refund);
    } else {
      client.post(refund);
    }
  }

  @Override
  public final Duration nextProbe() {
    return clients().stream()
        .filter(client -> !client.isHealthy())
        .map(PrimaryClient::nextProbe)
        .min(Duration::compareTo)
        .orElse(INTERVAL_IN_TROUBLE);
  }

  /**
   * Closes the client of a former primary, one deadline later. By then, the calls in flight have
   * their replies, and so have those of threads that had found this client before. The caller must
   * hold the lock, and this must not be closed.
   */
  final void retire(PrimaryClient former) {
    retiring.add(former);
    background.later(
        settings.deadline(),
        () -> {
          former.retire();
          retiring.remove(former);
        });
  }

  /** Returns whether this is closed. The caller must hold the lock. */
  final boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    pollers.close();
    synchronized (this) {
      closed = true;
    }
    background.close();
    firstRefresh.completeExceptionally(new JedisException("the store was closed"));
    clients().forEach(PrimaryClient::close);
    retiring.forEach(PrimaryClient::close);
  }

  @Override
  public void join(long millis) throws InterruptedException {
    pollers.join(millis);
    background.join(millis);
    for (PrimaryClient client : clients()) {
      client.join(millis);
    }
    for (PrimaryClient client : retiring) {
      client.join(millis);
    }
  }
}
