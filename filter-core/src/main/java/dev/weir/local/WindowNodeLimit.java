package dev.weir.local;

import dev.weir.limit.FixedWindow;

/** A node's part of a fixed window: the same windows with a smaller quota. */
record WindowNodeLimit(
    FixedWindow limit, int nodes, long dearest, long capacity, long forgottenAfterNanos)
    implements NodeLimit {

  static WindowNodeLimit of(FixedWindow limit, int nodes, long dearest, long quota) {
    return new WindowNodeLimit(limit, nodes, dearest, quota, limit.timeToFull().toNanos());
  }

  @Override
  public CounterState open(Now now) {
    return new FixedWindowState(this, WindowUse.UNUSED);
  }
}
