package dev.weir.local;

import dev.weir.FixedWindow;

/** A node's part of a fixed window: the same windows with a smaller quota. */
record WindowShare(
    FixedWindow limit, int nodes, long dearest, long capacity, long forgottenAfterNanos)
    implements Share {

  static WindowShare of(FixedWindow limit, int nodes, long dearest, long quota) {
    return new WindowShare(limit, nodes, dearest, quota, limit.timeToFull().toNanos());
  }

  @Override
  public Slot open(Moment now) {
    return new WindowSlot(this, WindowState.UNUSED);
  }
}
