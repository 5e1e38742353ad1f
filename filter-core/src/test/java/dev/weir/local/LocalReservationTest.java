package dev.weir.local;

import dev.weir.ReservationContract;
import dev.weir.ReservationModel;
import dev.weir.store.LimitStore;

/** Reservations in process. */
class LocalReservationTest extends ReservationContract {

  @Override
  protected LimitStore open() {
    return LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  }

  @Override
  protected ReservationModel window() {
    return new ReservationModel.EndingWindow();
  }

  @Override
  protected int traces() {
    return 1_000;
  }
}
