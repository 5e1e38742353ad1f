package dev.weir.testing;

import dev.weir.store.LimitStore;
import dev.weir.store.TimedWaitingContract;
import java.time.Duration;
import java.time.Instant;

/** The store for tests keeps the contract of all stores. */
class TestStoreContractTest extends TimedWaitingContract {

  private final ManualClock clock = new ManualClock();

  @Override
  protected LimitStore open() {
    return TestStore.on(clock);
  }

  @Override
  protected void advance(Duration time) {
    clock.advance(time);
  }

  @Override
  protected void setDate(String instant) {
    clock.setInstant(Instant.parse(instant));
  }
}
