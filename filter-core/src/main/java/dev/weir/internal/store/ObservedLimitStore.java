package dev.weir.internal.store;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * A store that notifies a listener of every decision of another store. It wraps all other stores,
 * so that the listener is notified of exactly what callers are returned.
 *
 * @param store closed with this one
 * @param listener may throw: that is logged, and does not change the decision
 */
public record ObservedLimitStore(LimitStore store, LimiterListener listener) implements LimitStore {

  public ObservedLimitStore {
    Objects.requireNonNull(store, "store");
    listener = GuardedListener.of(listener);
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    if (!listener.receivesDecisions()) {
      return store.decide(request);
    }
    long startNanos = System.nanoTime();
    Decision decision = store.decide(request);
    listener.onDecision(request, decision, Duration.ofNanos(System.nanoTime() - startNanos));
    return decision;
  }

  @Override
  public Set<Decision.Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    return store.adjust(adjustment, deadline);
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
