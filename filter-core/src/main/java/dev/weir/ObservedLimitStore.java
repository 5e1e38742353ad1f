package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * Tells a listener of every decision. It stands around all other stores, so that what it tells is
 * what callers are answered.
 */
public final class ObservedLimitStore implements LimitStore {

  private final LimitStore store;
  private final LimiterListener listener;

  /**
   * @param store closed with this one
   * @param listener may throw: that is logged, and the decision stands
   */
  public ObservedLimitStore(LimitStore store, LimiterListener listener) {
    this.store = Objects.requireNonNull(store, "store");
    this.listener = LimiterListener.guarded(listener);
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    if (!listener.hearsDecisions()) {
      return store.decide(ask);
    }
    long startNanos = System.nanoTime();
    Decision decision = store.decide(ask);
    listener.onDecision(ask, decision, Duration.ofNanos(System.nanoTime() - startNanos));
    return decision;
  }

  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    return store.amend(amendment, deadline);
  }

  @Override
  public boolean isHealthy() {
    return store.isHealthy();
  }

  @Override
  public void close() {
    store.close();
  }
}
