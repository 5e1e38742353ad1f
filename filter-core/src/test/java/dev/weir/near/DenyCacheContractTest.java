package dev.weir.near;

import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.LimitStore;
import dev.weir.store.ManualWaitingContract;
import java.time.Duration;

/** What every store promises, with denials remembered in front of it. */
class DenyCacheContractTest extends ManualWaitingContract {

  @Override
  protected LimitStore open() {
    LimitStore local = LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
    return DenyCache.of(local, Duration.ofSeconds(1), time);
  }
}
