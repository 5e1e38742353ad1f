package dev.weir.store;

import dev.weir.fixture.ManualTime;
import java.time.Duration;
import java.time.Instant;

/** The same as {@link ManualTimeContract}, and the contract for requests that can wait. */
public abstract class ManualWaitingContract extends TimedWaitingContract {

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
