package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.internal.client.Background;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.client.Reports;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The refresher of the topology, on a thread of its own. It refreshes often while a primary is
 * unavailable, and now and then while all are healthy. Calls wait for the first result until their
 * deadline at most. After a failed refresh or a time-out of a call, further calls do not wait.
 */
final class TopologyRefresher {

  private static final Duration INTERVAL_IN_TROUBLE = Duration.ofMillis(300);

  private static final String LATE = "not found by the deadline";

  private final String what;
  private final Runnable refresh;
  private final Runnable refreshed;
  private final BooleanSupplier healthy;
  private final Duration interval;
  private final Background background;
  private final Reports reports;
  private final CompletableFuture<Boolean> found = new CompletableFuture<>();
  private final PeriodicTask task;
  private volatile @Nullable String trouble;

  /** Whether the outage of all primaries was reported. */
  private boolean lost;

  /**
   * @param what is refreshed, as messages name it
   * @param refresh finds the primaries, or throws
   * @param refreshed runs after each refresh that has found them, and after the waiting calls were
   *     released; throws nothing
   * @param healthy whether all primaries that were found are healthy
   * @param interval the time between refreshes while they are
   */
  TopologyRefresher(
      String what,
      Runnable refresh,
      Runnable refreshed,
      BooleanSupplier healthy,
      Duration interval,
      Reports reports) {
    this.what = what;
    this.refresh = refresh;
    this.refreshed = refreshed;
    this.healthy = healthy;
    this.interval = interval;
    this.reports = reports;
    background = new Background("weir-redis-topology", reports.listener());
    task = new PeriodicTask(background, this::run);
  }

  void start() {
    task.start();
  }

  /**
   * Requests a refresh soon, because the topology may be out of date. Further refreshes follow as
   * often as needed.
   */
  void refreshSoon() {
    task.runSoon();
  }

  /** Waits for the first result. */
  void await(Deadline deadline) throws StoreUnavailableException {
    if (found.isDone() && !found.isCompletedExceptionally()) {
      return;
    }
    @Nullable String why = trouble;
    if (why != null) {
      throw unavailable(why, null);
    }
    try {
      found.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", Kind.OUT_OF_TIME, e);
    } catch (TimeoutException e) {
      trouble = LATE;
      throw unavailable(LATE, e);
    } catch (ExecutionException e) {
      throw unavailable("closed", e);
    }
  }

  Duration interval() {
    return INTERVAL_IN_TROUBLE;
  }

  private Duration run() {
    try {
      refresh.run();
      found();
      refreshed.run();
    } catch (RuntimeException e) {
      notFound(Reports.reason(e));
    }
    return trouble == null && healthy.getAsBoolean() ? interval : INTERVAL_IN_TROUBLE;
  }

  private void found() {
    trouble = null;
    found.complete(true);
    if (lost) {
      lost = false;
      reports.outageEnded(what);
    }
  }

  private void notFound(String why) {
    trouble = why;
    if (!found.isDone() && !lost) {
      lost = true;
      reports.outageBegan(what, why);
    }
  }

  /** Returns a failure: no primary has run the call. */
  StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return unavailable(why, Kind.OUTAGE, cause);
  }

  /** Returns a failure of another kind: no primary has run the call. */
  StoreUnavailableException unavailable(String why, Kind kind, @Nullable Throwable cause) {
    return new StoreUnavailableException(
        "redis: " + what + ": " + why,
        kind,
        INTERVAL_IN_TROUBLE,
        new NotSentException(why, kind, cause));
  }

  void close() {
    background.close();
    found.completeExceptionally(new JedisException("the store was closed"));
  }

  void join(long millis) throws InterruptedException {
    background.join(millis);
  }
}
