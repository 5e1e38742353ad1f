package dev.weir.local;

/** A fixed window. */
final class WindowSlot implements Slot {

  private final WindowShare share;
  private WindowState state;

  WindowSlot(WindowShare share, WindowState state) {
    this.share = share;
    this.state = state;
  }

  @Override
  public void age(Moment now) {
    state = state.at(now);
  }

  @Override
  public long available() {
    return share.capacity() - state.used();
  }

  @Override
  public Place place(long permits, Moment now) {
    return Place.inTime(permits <= available() ? 0 : state.nanosLeft(now));
  }

  @Override
  public long nanosUntilFull(Moment now) {
    return state.nanosLeft(now);
  }

  @Override
  public void take(long permits, Moment now) {
    state = state.taking(permits, share.limit().window(), now);
  }

  @Override
  public void giveBack(long permits, long stamp, long granted) {
    state = state.returning(permits, stamp);
  }

  @Override
  public void reward(long permits) {
    state = state.rewarded(permits);
  }

  @Override
  public long letIn(long permits, Moment now) {
    take(permits, now);
    return state.stamp();
  }

  /**
   * A window in use keeps its end; one that begins and ends otherwise starts over, used up alike.
   */
  @Override
  public Slot under(Share next, Moment now) {
    if (next instanceof WindowShare window
        && window.limit().window().equals(share.limit().window())) {
      return new WindowSlot(window, state);
    }
    Slot slot = next.open(now);
    if (state.used() > 0) {
      slot.take(state.used(), now);
    }
    return slot;
  }

  @Override
  public Slot copy() {
    return new WindowSlot(share, state);
  }
}
