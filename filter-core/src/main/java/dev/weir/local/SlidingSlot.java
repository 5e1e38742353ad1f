package dev.weir.local;

/** A sliding window. */
final class SlidingSlot implements Slot {

  private final SlidingShare share;
  private final SubWindows subWindows;

  SlidingSlot(SlidingShare share, SubWindows subWindows) {
    this.share = share;
    this.subWindows = subWindows;
  }

  @Override
  public void age(Moment now) {
    subWindows.age(now.nanos());
  }

  @Override
  public long available() {
    return share.capacity() - subWindows.sum();
  }

  @Override
  public Place place(long permits, Moment now) {
    return Place.inTime(subWindows.nanosUntilFreed(permits - available(), now.nanos()));
  }

  @Override
  public long nanosUntilFull(Moment now) {
    return subWindows.nanosUntilFreed(subWindows.sum(), now.nanos());
  }

  @Override
  public void take(long permits, Moment now) {
    subWindows.take(permits);
  }

  @Override
  public void giveBack(long permits, long stamp, long granted) {
    subWindows.giveBack(permits, stamp);
  }

  @Override
  public void reward(long permits) {
    subWindows.reward(permits);
  }

  @Override
  public long letIn(long permits, Moment now) {
    take(permits, now);
    return subWindows.stamp();
  }

  /** Permits keep their age, as far as the other sub-windows can tell. */
  @Override
  public Slot under(Share next, Moment now) {
    if (next instanceof SlidingShare sliding) {
      SubWindows others =
          new SubWindows(sliding.limit().subWindow().toNanos(), sliding.limit().subWindows());
      subWindows.moveInto(others, now.nanos());
      return new SlidingSlot(sliding, others);
    }
    Slot slot = next.open(now);
    if (subWindows.sum() > 0) {
      slot.take(subWindows.sum(), now);
    }
    return slot;
  }

  @Override
  public Slot copy() {
    return new SlidingSlot(share, subWindows.copy());
  }
}
