package dev.weir.local;

import dev.weir.FixedWindow;

/** A node's part of a fixed window: the same windows with a smaller quota. */
record WindowShare(FixedWindow limit, int nodes, long capacity) implements Share {

  @Override
  public Slot open(Moment now) {
    return new WindowSlot(this, WindowState.UNUSED);
  }
}
