package dev.weir;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.SwitchableStore;
import dev.weir.internal.store.ObservedLimitStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.ManualTimeContract;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** Failover keeps the contract of all stores, on either side of an outage. */
class FailoverContractTest {

  private abstract static class Failover extends ManualTimeContract {

    final SwitchableStore primary =
        new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));

    @Override
    protected LimitStore open() {
      return new ObservedLimitStore(
          FailoverLimitStore.of(
              primary, LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant))),
          LimiterListener.NONE);
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

    /**
     * The fallback makes the adjustment. The caller gets an exception, since the primary is gone.
     */
    @Override
    protected void adjust(Adjustment adjustment) {
      assertThatThrownBy(() -> store.adjust(adjustment, Deadline.after(Duration.ofSeconds(10))))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("switched off");
    }
  }
}
