package dev.weir.local;

import dev.weir.SlidingWindow;

/** A node's part of a sliding window: the same sub-windows with a smaller quota. */
record SlidingShare(
    SlidingWindow limit, int nodes, long dearest, long capacity, long forgottenAfterNanos)
    implements Share {

  static SlidingShare of(SlidingWindow limit, int nodes, long dearest, long quota) {
    return new SlidingShare(limit, nodes, dearest, quota, limit.timeToFull().toNanos());
  }

  @Override
  public Slot open(Moment now) {
    SubWindows subWindows = new SubWindows(limit.subWindow().toNanos(), limit.subWindows());
    subWindows.age(now.nanos());
    return new SlidingSlot(this, subWindows);
  }
}
