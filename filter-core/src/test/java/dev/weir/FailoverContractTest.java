package dev.weir;

import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Nested;

/** Failover keeps the contract of all stores, on either side of an outage. */
class FailoverContractTest {

  private abstract static class Failover extends TimedLimitStoreContract {

    final ManualTime time = new ManualTime();
    final SwitchableStore primary =
        new SwitchableStore(new LocalLimitStore(LocalOptions.embedded().withTime(time, time)));

    @Override
    protected LimitStore open() {
      return new ObservedLimitStore(
          new FailoverLimitStore(
              primary, new LocalLimitStore(LocalOptions.embedded().withTime(time, time))),
          LimiterListener.NONE);
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

  @Nested
  class While_the_primary_decides extends Failover {}

  @Nested
  class While_the_primary_is_gone extends Failover {

    @Override
    protected LimitStore open() {
      primary.switchOff();
      return super.open();
    }
  }
}
