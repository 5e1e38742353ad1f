package dev.weir.local;

/**
 * A leaky bucket, represented by its complement: a token bucket that lacks the content of this one.
 * A request runs when everything acquired before it has flowed out. At that time the token bucket
 * would be full without the request.
 */
final class LeakyBucketState implements CounterState {

  private final TokenBucketState level;

  /** When the last waiting request runs. It is in the past when none waits. */
  private long lastRunNanos;

  /** The number of permits of the last waiting request. */
  private long lastPermits;

  LeakyBucketState(TokenBucketState level, long nowNanos) {
    this.level = level;
    this.lastRunNanos = nowNanos;
  }

  @Override
  public void age(Now now) {
    level.age(now);
  }

  /** Returns the permits that may run now, which is 0 while anything flows out. */
  @Override
  public long available() {
    return level.isFull() ? level.available() : 0;
  }

  @Override
  public QueuePosition position(long permits, Now now) {
    return new QueuePosition(level.nanosUntilFull(now), level.nanosUntil(permits));
  }

  @Override
  public long nanosUntilFull(Now now) {
    return level.nanosUntilFull(now);
  }

  @Override
  public void take(long permits, Now now) {
    level.take(permits, now);
  }

  /**
   * Counts against the content that has not flowed out, not against the permits that may run now.
   */
  @Override
  public void debit(long permits, Now now) {
    level.debit(permits, now);
  }

  @Override
  public long acquire(long permits, Now now) {
    long runNanos = level.runNanos(level.capacity());
    level.take(permits, now);
    if (!level.isAhead(runNanos)) {
      return 0;
    }
    lastRunNanos = runNanos;
    lastPermits = permits;
    return runNanos;
  }

  /**
   * Refunds only a request that still waits, and only if no request was queued after it. Content
   * that has flowed out is not refunded.
   */
  @Override
  public void refund(long permits, long stamp, long granted) {
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

  /** Ensures that the last waiting request still has all its permits in the bucket when it runs. */
  private void holdBack() {
    level.holdBack(level.capacity() - lastPermits, lastRunNanos);
  }

  @Override
  public CounterState under(NodeLimit next, Now now) {
    CounterState state = level.under(next, now);
    if (state instanceof LeakyBucketState leaky) {
      leaky.lastRunNanos = lastRunNanos;
      leaky.lastPermits = lastPermits;
      leaky.holdBack();
    }
    return state;
  }

  @Override
  public CounterState copy() {
    LeakyBucketState copy = new LeakyBucketState(level.copy(), lastRunNanos);
    copy.lastPermits = lastPermits;
    return copy;
  }
}
