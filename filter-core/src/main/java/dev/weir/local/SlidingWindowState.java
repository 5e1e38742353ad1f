package dev.weir.local;

/** A sliding window. */
final class SlidingWindowState implements CounterState {

  private final SlidingNodeLimit nodeLimit;
  private final SubWindows subWindows;

  SlidingWindowState(SlidingNodeLimit nodeLimit, SubWindows subWindows) {
    this.nodeLimit = nodeLimit;
    this.subWindows = subWindows;
  }

  @Override
  public void age(Now now) {
    subWindows.age(now.nanos());
  }

  @Override
  public long available() {
    return nodeLimit.capacity() - subWindows.sum();
  }

  @Override
  public QueuePosition position(long permits, Now now) {
    return QueuePosition.inTime(subWindows.nanosUntilFreed(permits - available(), now.nanos()));
  }

  @Override
  public long nanosUntilFull(Now now) {
    return subWindows.nanosUntilFreed(subWindows.sum(), now.nanos());
  }

  @Override
  public void take(long permits, Now now) {
    subWindows.take(permits);
  }

  @Override
  public void refund(long permits, long stamp, long granted) {
    subWindows.refund(permits, stamp);
  }

  @Override
  public void reward(long permits) {
    subWindows.reward(permits);
  }

  @Override
  public long acquire(long permits, Now now) {
    take(permits, now);
    return subWindows.stamp();
  }

  /** Keeps the age of permits, as precisely as the other sub-windows allow. */
  @Override
  public CounterState under(NodeLimit next, Now now) {
    if (next instanceof SlidingNodeLimit sliding) {
      SubWindows others =
          new SubWindows(sliding.limit().subWindow().toNanos(), sliding.limit().subWindows());
      subWindows.moveInto(others, now.nanos());
      return new SlidingWindowState(sliding, others);
    }
    CounterState state = next.open(now);
    if (subWindows.sum() > 0) {
      state.take(subWindows.sum(), now);
    }
    return state;
  }

  @Override
  public CounterState copy() {
    return new SlidingWindowState(nodeLimit, subWindows.copy());
  }
}
