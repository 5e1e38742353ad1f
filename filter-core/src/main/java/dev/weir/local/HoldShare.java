package dev.weir.local;

import dev.weir.Concurrency;

/** A node's part of a concurrency limit: the same lease with fewer permits. */
record HoldShare(Concurrency limit, int nodes, long dearest, long capacity) implements Share {

  /** Holds end by themselves, whoever decides: no outage that is over forgets one. */
  @Override
  public long forgottenAfterNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public Slot open(Moment now) {
    return new HoldSlot(this, new Holds());
  }
}
