package dev.weir.store;

import dev.weir.fixture.ManualTime;
import java.time.Duration;
import java.time.Instant;

/** The contract of every store as time passes, for stores with a given ticker and calendar. */
public abstract class ManualTimeContract extends TimedPermitsContract {

  protected final ManualTime time = new ManualTime();

  @Override
  protected final void advance(Duration duration) {
    time.advance(duration);
  }

  @Override
  protected final void setDate(String instant) {
    time.setDate(Instant.parse(instant));
  }
}
