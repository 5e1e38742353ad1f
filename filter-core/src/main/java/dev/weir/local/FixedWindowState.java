package dev.weir.local;

/** A fixed window. */
final class FixedWindowState implements CounterState {

  private final WindowNodeLimit nodeLimit;
  private WindowUse use;

  FixedWindowState(WindowNodeLimit nodeLimit, WindowUse use) {
    this.nodeLimit = nodeLimit;
    this.use = use;
  }

  @Override
  public void age(Now now) {
    use = use.at(now);
  }

  @Override
  public long available() {
    return nodeLimit.capacity() - use.used();
  }

  @Override
  public QueuePosition position(long permits, Now now) {
    return QueuePosition.inTime(permits <= available() ? 0 : use.nanosLeft(now));
  }

  @Override
  public long nanosUntilFull(Now now) {
    return use.nanosLeft(now);
  }

  @Override
  public void take(long permits, Now now) {
    use = use.taking(permits, nodeLimit.limit().window(), now);
  }

  @Override
  public void refund(long permits, long stamp, long granted) {
    use = use.returning(permits, stamp);
  }

  @Override
  public void reward(long permits) {
    use = use.rewarded(permits);
  }

  @Override
  public long acquire(long permits, Now now) {
    take(permits, now);
    return use.stamp();
  }

  /**
   * Keeps the end of a window in use. If the windows differ, a new window starts with the same
   * consumption.
   */
  @Override
  public CounterState under(NodeLimit next, Now now) {
    if (next instanceof WindowNodeLimit window
        && window.limit().window().equals(nodeLimit.limit().window())) {
      return new FixedWindowState(window, use);
    }
    CounterState state = next.open(now);
    if (use.used() > 0) {
      state.take(use.used(), now);
    }
    return state;
  }

  @Override
  public CounterState copy() {
    return new FixedWindowState(nodeLimit, use);
  }
}
