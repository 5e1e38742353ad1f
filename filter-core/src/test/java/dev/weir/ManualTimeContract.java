package dev.weir;

import java.time.Duration;
import java.time.Instant;

/** What every store promises as time passes, for stores whose ticker and calendar are given. */
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
