package dev.weir.local;

import dev.weir.limit.SlidingWindow;

/** A node's part of a sliding window: the same sub-windows with a smaller quota. */
record SlidingNodeLimit(
    SlidingWindow limit, int nodes, long dearest, long capacity, long forgottenAfterNanos)
    implements NodeLimit {

  static SlidingNodeLimit of(SlidingWindow limit, int nodes, long dearest, long quota) {
    return new SlidingNodeLimit(limit, nodes, dearest, quota, limit.timeToFull().toNanos());
  }

  @Override
  public CounterState open(Now now) {
    SubWindows subWindows = new SubWindows(limit.subWindow().toNanos(), limit.subWindows());
    subWindows.age(now.nanos());
    return new SlidingWindowState(this, subWindows);
  }
}
