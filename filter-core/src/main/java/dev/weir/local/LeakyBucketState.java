package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.LeakyBucket;

/**
 * A leaky bucket, represented by its complement: a token bucket that lacks the content of this one.
 * A request runs when everything acquired before it has flowed out. At that time the token bucket
 * would be full without the request. A node's share is a smaller bucket that flows more slowly.
 */
final class LeakyBucketState extends CounterState {

  private final TokenBucketState level;

  /** When the last waiting request runs. It is in the past when none waits. */
  private long lastRunNanos;

  /** The number of permits of the last waiting request. */
  private long lastPermits;

  private LeakyBucketState(NodeLimit share, TokenBucketState level) {
    super(share);
    this.level = level;
  }

  static LeakyBucketState of(LeakyBucket limit, int nodes) {
    long part = TokenBucketState.ceilDiv(limit.capacity(), nodes);
    NodeLimit share = NodeLimit.of(limit, nodes, part);
    return new LeakyBucketState(share, TokenBucketState.of(share, limit.rate()));
  }

  @Override
  LeakyBucketState unused() {
    return new LeakyBucketState(share(), level.unused());
  }

  @Override
  LeakyBucketState copy() {
    LeakyBucketState copy = new LeakyBucketState(share(), level.copy());
    copy.age(nanos(), tickNanos());
    copy.lastRunNanos = lastRunNanos;
    copy.lastPermits = lastPermits;
    return copy;
  }

  /** Carries whole permits over. Waiting requests keep their times in another leaky bucket. */
  @Override
  void carryOver(CounterState next) {
    level.carryOver(next);
    if (next instanceof LeakyBucketState other) {
      other.lastRunNanos = lastRunNanos;
      other.lastPermits = lastPermits;
      other.holdBack();
    }
  }

  @Override
  void age() {
    level.age(nanos(), tickNanos());
  }

  /** Returns the permits that may run now, which is 0 while anything flows out. */
  @Override
  long available() {
    return level.isFull() ? level.available() : 0;
  }

  @Override
  long nanosUntilFits(long permits) {
    return level.nanosUntil(permits);
  }

  @Override
  long nanosUntilTurn() {
    return Math.max(nanosUntilPaid(), lastRunNanos - nanos());
  }

  @Override
  long delayNanos(long permits) {
    return level.nanosUntil(capacity());
  }

  @Override
  long nanosUntilFull() {
    return level.nanosUntilFull();
  }

  @Override
  void take(long permits) {
    level.take(permits);
  }

  /**
   * Counts against the content that has not flowed out, not against the permits that may run now.
   */
  @Override
  void debit(long permits) {
    level.debit(permits);
  }

  @Override
  long acquire(long permits, long delayNanos, CounterKey key) {
    level.take(permits);
    if (delayNanos == 0) {
      return 0;
    }
    long runNanos = level.after(delayNanos);
    lastRunNanos = runNanos;
    lastPermits = permits;
    return runNanos;
  }

  /**
   * Refunds only a request that still waits, and only if no request was queued after it. Content
   * that has flowed out is not refunded.
   */
  @Override
  void refund(long permits, long stamp, long granted) {
    boolean isInside = capacity() - level.available() >= permits;
    if (isInside && level.isCancelled(stamp, capacity() - permits)) {
      level.put(permits);
      lastRunNanos = level.runNanos(capacity() - 1);
      lastPermits = 1;
    }
  }

  @Override
  void forgive() {
    level.forgive();
    holdBack();
  }

  @Override
  void reward(long permits) {
    level.put(permits);
    holdBack();
  }

  /** Ensures that the last waiting request still has all its permits in the bucket when it runs. */
  private void holdBack() {
    level.holdBack(capacity() - lastPermits, lastRunNanos);
  }
}
