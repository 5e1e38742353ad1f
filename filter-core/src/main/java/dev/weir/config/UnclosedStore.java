package dev.weir.config;

import dev.weir.AcquireRequest;
import dev.weir.Adjustment;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.StoreUnavailableException;

/** A store that its users do not close. */
record UnclosedStore(LimitStore owned) implements LimitStore {

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    return owned.decide(request);
  }

  @Override
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    return owned.adjust(adjustment, deadline);
  }

  @Override
  public boolean isHealthy() {
    return owned.isHealthy();
  }

  @Override
  public void close() {
    // the owner closes it
  }
}
