package dev.weir.local;

import dev.weir.store.LimitStore;
import dev.weir.store.ManualWaitingContract;

/** The local store keeps the contract of all stores. */
class LocalLimitStoreTest extends ManualWaitingContract {

  @Override
  protected LimitStore open() {
    return LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  }
}
