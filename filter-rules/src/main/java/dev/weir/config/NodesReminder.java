package dev.weir.config;

import dev.weir.internal.store.Scheduler;
import dev.weir.redis.RedisStatus;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns once when fewer nodes than {@code nodes} have been alive for ten minutes. They would grant
 * less than each limit in an outage. Often they are as many, but count in different places.
 * Thread-safe.
 */
final class NodesReminder implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int MINUTES = 10;

  private final WeirRuntime runtime;
  private final Supplier<Scheduler> schedulers;
  private @Nullable Scheduler minutes;
  private Scheduler.Pending next = Scheduler.Pending.NONE;
  private int configured = 1;
  private int fewSince;
  private boolean isClosed;

  /**
   * @param schedulers makes the one that is used, once there is something to check
   */
  NodesReminder(WeirRuntime runtime, Supplier<Scheduler> schedulers) {
    this.runtime = runtime;
    this.schedulers = schedulers;
  }

  /**
   * Begins to check when this node shares Redis with others, until it has warned.
   *
   * @param nodes how many are configured; 1 without Redis
   */
  synchronized void follow(int nodes) {
    if (isClosed || nodes == configured) {
      return;
    }
    configured = nodes;
    fewSince = 0;
    next.cancel();
    if (nodes > 1) {
      minutes = minutes == null ? schedulers.get() : minutes;
      checkIn(minutes);
    }
  }

  private void checkIn(Scheduler scheduler) {
    int checked = configured;
    next = scheduler.in(PAUSE, () -> check(scheduler, checked));
  }

  /** Checks once, and again in a minute, unless it warns or another number is configured by now. */
  private void check(Scheduler scheduler, int checked) {
    RedisStatus redis = runtime.status().redis().orElseThrow();
    synchronized (this) {
      if (isClosed || checked != configured) {
        return;
      }
      boolean isCounted = redis.isHealthy() && redis.clockSkew().isPresent(); // else none is known
      fewSince = isCounted && redis.liveNodes() < checked ? fewSince + 1 : 0;
      if (fewSince < MINUTES) {
        checkIn(scheduler);
        return;
      }
    }
    runtime.warn(
        "'nodes' is %d, but for ten minutes fewer have been alive with this application in this Redis, now %d. In an outage these grant %d/%d of each limit together. Start the others, give all nodes the same 'application' and 'redis', or set 'nodes' to the usual minimum"
            .formatted(checked, redis.liveNodes(), redis.liveNodes(), checked));
  }

  /** Ends without holding the lock, since a check may be waiting for it. */
  @Override
  public void close() {
    Scheduler ending;
    synchronized (this) {
      isClosed = true;
      ending = minutes;
      minutes = null;
    }
    if (ending != null) {
      ending.close();
    }
  }
}
