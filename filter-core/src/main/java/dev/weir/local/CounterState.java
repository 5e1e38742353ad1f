package dev.weir.local;

import dev.weir.Receipt;
import dev.weir.internal.BucketUnits;
import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import dev.weir.local.NodeLimits.NodeLimit;
import dev.weir.local.Shards.Now;

/**
 * One counter on this node: its share of a limit, and what was taken of it. Each algorithm is one
 * subclass, which holds all that this package knows of it.
 *
 * <p>It is not thread-safe, so its shard's lock guards it. All methods but {@link #age} refer to
 * the time of the last aging. Times are in whole nanoseconds, rounded up.
 */
abstract sealed class CounterState
    permits TokenBucketState,
        LeakyBucketState,
        FixedWindowState,
        SlidingWindowState,
        ConcurrencyState {

  private final NodeLimit nodeLimit;

  CounterState(NodeLimit nodeLimit) {
    this.nodeLimit = nodeLimit;
  }

  /**
   * Returns an unused counter of a limit that so many nodes share.
   *
   * @param dearest the cost of the most expensive request of the rules, in permits
   */
  static CounterState of(Limit limit, int nodes, long dearest, Now now) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> TokenBucketState.of((TokenBucket) limit, nodes, dearest, now);
      case LEAKY_BUCKET -> LeakyBucketState.of((LeakyBucket) limit, nodes, dearest, now);
      case FIXED_WINDOW -> FixedWindowState.of((FixedWindow) limit, nodes, dearest);
      case SLIDING_WINDOW -> SlidingWindowState.of((SlidingWindow) limit, nodes, dearest, now);
      case CONCURRENCY -> ConcurrencyState.of((Concurrency) limit, nodes, dearest);
    };
  }

  final NodeLimit nodeLimit() {
    return nodeLimit;
  }

  /** Returns the most that can be acquired at once here, in permits. */
  final long capacity() {
    return nodeLimit.capacity();
  }

  /** Returns how long another store must decide until the next outage counts as new. */
  long forgottenAfterNanos() {
    return nodeLimit.timeToFullNanos();
  }

  /**
   * Returns an unused counter of the same share. It reads only what never changes, so it needs no
   * lock.
   */
  abstract CounterState unused(Now now);

  /** Returns a counter with the same share and the same consumption. */
  CounterState copy(Now now) {
    CounterState copy = unused(now);
    carryOver(copy, now);
    return copy;
  }

  /**
   * Returns the first state of a counter of its own, whose subject has shared this one. It has all
   * consumption that may be the subject's.
   */
  CounterState copyFor(CounterKey key, Now now) {
    return copy(now);
  }

  /** Carries consumption over to an unused counter, whose share or algorithm may be another. */
  abstract void carryOver(CounterState next, Now now);

  abstract void age(Now now);

  /**
   * Returns how many permits are left. It is below zero when the limit has shrunk below what was
   * taken.
   */
  abstract long available();

  /**
   * Returns the time until so many permits, at most the capacity, may be taken. It is 0 if that is
   * now. Those of a {@linkplain Limit.Algorithm#isReservable reservable} limit may be taken ahead
   * of time.
   */
  abstract long nanosUntilFits(long permits, Now now);

  /**
   * Returns the time until so many permits may be used, if they are taken now. It is always 0 if
   * the limit is not {@linkplain Limit.Algorithm#isReservable reservable}.
   */
  long delayNanos(long permits, Now now) {
    return 0;
  }

  abstract long nanosUntilFull(Now now);

  /** Takes permits, whether or not they are left. */
  abstract void take(long permits, Now now);

  /** Takes permits, whether or not they are left, up to the largest debt that can be counted. */
  void debit(long permits, Now now) {
    long room = Math.max(0, available() + BucketUnits.EXACT);
    take(Math.min(permits, room), now);
  }

  /**
   * Takes permits for a request that is allowed. Returns the stamp for a later refund: the window,
   * the id of the permits, or the time at which the request runs.
   *
   * @param key of the counter that was requested, which may share this one with others
   */
  abstract long acquire(long permits, CounterKey key, Now now);

  /** Refunds so many of the permits that were acquired with this stamp. */
  abstract void refund(long permits, long stamp, long granted);

  /** Returns permits, at most as many as are taken. Those that would return soonest are first. */
  abstract void reward(long permits);

  /**
   * Renews the permits of a grant. Returns whether they are still held, which is false for most
   * algorithms.
   */
  boolean renew(Receipt.Grant grant, Now now) {
    return false;
  }
}
