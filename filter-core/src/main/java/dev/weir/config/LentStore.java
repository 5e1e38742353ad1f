package dev.weir.config;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.StoreUnavailableException;

/** A store that its users do not close. */
record LentStore(LimitStore owned) implements LimitStore {

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    return owned.decide(ask);
  }

  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    return owned.amend(amendment, deadline);
  }

  @Override
  public boolean isHealthy() {
    return owned.isHealthy();
  }

  @Override
  public void close() {
    // whoever lends it does
  }
}
