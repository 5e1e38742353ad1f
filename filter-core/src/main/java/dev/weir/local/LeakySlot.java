package dev.weir.local;

/**
 * A leaky bucket, over the token bucket that lacks what is in this one. A request runs when all
 * that was let in before it has flowed out, which is when that bucket was full but for the request.
 */
final class LeakySlot implements Slot {

  private final BucketSlot level;

  /** When the last one runs who waits; in the past when nobody does. */
  private long lastRunNanos;

  /** How many permits are his. */
  private long lastPermits;

  LeakySlot(BucketSlot level, long nowNanos) {
    this.level = level;
    this.lastRunNanos = nowNanos;
  }

  @Override
  public void age(Moment now) {
    level.age(now);
  }

  /** What may run now: nothing while anything flows out. */
  @Override
  public long available() {
    return level.isFull() ? level.available() : 0;
  }

  @Override
  public Place place(long permits, Moment now) {
    return new Place(level.nanosUntilFull(now), level.nanosUntil(permits));
  }

  @Override
  public long nanosUntilFull(Moment now) {
    return level.nanosUntilFull(now);
  }

  @Override
  public void take(long permits, Moment now) {
    level.take(permits, now);
  }

  /** What has not flowed out counts, and not what may run now. */
  @Override
  public void owe(long permits, Moment now) {
    level.owe(permits, now);
  }

  @Override
  public long letIn(long permits, Moment now) {
    long runNanos = level.runNanos(level.capacity());
    level.take(permits, now);
    if (!level.isAhead(runNanos)) {
      return 0;
    }
    lastRunNanos = runNanos;
    lastPermits = permits;
    return runNanos;
  }

  /** What has flowed out is out: only who still waits gives back, and only if nobody came after. */
  @Override
  public void giveBack(long permits, long stamp, long granted) {
    boolean isInside = level.capacity() - level.available() >= permits;
    if (isInside && level.isCancelled(stamp, level.capacity() - permits)) {
      level.put(permits);
      lastRunNanos = level.runNanos(level.capacity() - 1);
      lastPermits = 1;
    }
  }

  @Override
  public void reward(long permits) {
    level.put(permits);
    holdBack();
  }

  /** The last one who waits still has all of his permits in it when he runs. */
  private void holdBack() {
    level.holdBack(level.capacity() - lastPermits, lastRunNanos);
  }

  @Override
  public Slot under(Share next, Moment now) {
    Slot slot = level.under(next, now);
    if (slot instanceof LeakySlot leaky) {
      leaky.lastRunNanos = lastRunNanos;
      leaky.lastPermits = lastPermits;
      leaky.holdBack();
    }
    return slot;
  }

  @Override
  public Slot copy() {
    LeakySlot copy = new LeakySlot(level.copy(), lastRunNanos);
    copy.lastPermits = lastPermits;
    return copy;
  }
}
