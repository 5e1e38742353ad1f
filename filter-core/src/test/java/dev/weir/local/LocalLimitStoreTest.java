package dev.weir.local;

import dev.weir.LimitStore;
import dev.weir.ManualTime;
import dev.weir.TimedLimitStoreContract;
import java.time.Duration;
import java.time.Instant;

/** The local store keeps the contract of all stores. */
class LocalLimitStoreTest extends TimedLimitStoreContract {

  private final ManualTime time = new ManualTime();

  @Override
  protected LimitStore open() {
    return new LocalLimitStore(LocalOptions.embedded().withTime(time, time));
  }

  @Override
  protected void advance(Duration duration) {
    time.advance(duration);
  }

  @Override
  protected void setDate(String instant) {
    time.setDate(Instant.parse(instant));
  }
}
