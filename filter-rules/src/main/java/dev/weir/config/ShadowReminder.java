package dev.weir.config;

import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RuleLimiter.InFlight;
import dev.weir.internal.store.Scheduler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns that all rules only observe, at once and each hour, because a trial that is forgotten
 * limits nothing. Thread-safe.
 */
final class ShadowReminder implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofHours(1);

  private final WeirRuntime runtime;
  private final Supplier<Scheduler> schedulers;
  private @Nullable Scheduler hours;
  private boolean isClosed;

  /**
   * @param schedulers makes one for each trial
   */
  ShadowReminder(WeirRuntime runtime, Supplier<Scheduler> schedulers) {
    this.runtime = runtime;
    this.schedulers = schedulers;
  }

  /** Begins to warn when a trial begins, and ends with it. */
  synchronized void follow(boolean areShadows) {
    if (isClosed || areShadows == (hours != null)) {
      return;
    }
    if (hours == null) {
      hours = schedulers.get();
      warn(hours);
    } else {
      hours.close();
      hours = null;
    }
  }

  private void warn(Scheduler scheduler) {
    runtime.warn(
        "'shadow' is on, so rules only observe and no request is denied. They would have denied %d requests since the start. Set 'shadow: off' once these are the right ones"
            .formatted(wouldBeDenied()));
    Scheduler.Pending unused = scheduler.in(PAUSE, () -> warn(scheduler));
  }

  private long wouldBeDenied() {
    WeirStatus status = runtime.status();
    long byRules =
        status.counts().denials().stream()
            .filter(Denials::isShadow)
            .mapToLong(Denials::count)
            .sum();
    return byRules + status.overload().map(InFlight::shadowShed).orElse(0L);
  }

  /** Ends without holding the lock, since a warning may be waiting for it. */
  @Override
  public void close() {
    Scheduler ending;
    synchronized (this) {
      isClosed = true;
      ending = hours;
      hours = null;
    }
    if (ending != null) {
      ending.close();
    }
  }
}
