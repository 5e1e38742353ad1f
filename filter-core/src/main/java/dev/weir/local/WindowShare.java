package dev.weir.local;

import dev.weir.FixedWindow;

/** A node's part of a fixed window: the same windows with a smaller quota. */
record WindowShare(FixedWindow limit, int nodes, long capacity, long forgottenAfterNanos)
    implements Share {

  static WindowShare of(FixedWindow limit, int nodes, long quota) {
    return new WindowShare(limit, nodes, quota, limit.timeToFull().toNanos());
  }

  @Override
  public Slot open(Moment now) {
    return new WindowSlot(this, WindowState.UNUSED);
  }
}
