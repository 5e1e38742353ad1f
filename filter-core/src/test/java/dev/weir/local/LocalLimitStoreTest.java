package dev.weir.local;

import dev.weir.LimitStore;
import dev.weir.ManualWaitingContract;

/** The local store keeps the contract of all stores. */
class LocalLimitStoreTest extends ManualWaitingContract {

  @Override
  protected LimitStore open() {
    return new LocalLimitStore(LocalOptions.embedded().withTime(time, time::instant));
  }
}
