package dev.weir.local;

import dev.weir.Receipt;
import dev.weir.limit.BucketUnits;

/**
 * The state of one counter on this node. It is not thread-safe, so its shard's lock guards it. All
 * methods but {@link #age} refer to the time of the last aging.
 */
sealed interface CounterState
    permits TokenBucketState,
        LeakyBucketState,
        FixedWindowState,
        SlidingWindowState,
        ConcurrencyState {

  /** Advances time to now. */
  void age(Now now);

  /**
   * Returns how many permits are left. It is below zero when the limit has shrunk below what was
   * taken.
   */
  long available();

  /**
   * Returns the queue position for so many permits, at most the share's capacity. Times are in
   * whole nanoseconds, rounded up.
   */
  QueuePosition position(long permits, Now now);

  /** Returns the time until this is full. */
  long nanosUntilFull(Now now);

  /** Takes permits, whether or not they are left. */
  void take(long permits, Now now);

  /** Takes permits, whether or not they are left, up to the largest debt that can be counted. */
  default void debit(long permits, Now now) {
    long room = Math.max(0, available() + BucketUnits.EXACT);
    take(Math.min(permits, room), now);
  }

  /** Refunds so many of the permits that were acquired with this stamp. */
  void refund(long permits, long stamp, long granted);

  /** Returns permits, at most as many as are taken. Those that would return soonest are first. */
  void reward(long permits);

  /**
   * Renews the permits of a grant. Returns whether they are still held, which is false for most
   * states.
   */
  default boolean renew(Receipt.Grant grant, Now now) {
    return false;
  }

  /**
   * Takes permits for a request that is allowed. Returns the stamp for a later refund: the window,
   * the id of the permits, or the time at which the request runs.
   */
  long acquire(long permits, Now now);

  /** Returns a state with the same consumption under other numbers. */
  CounterState under(NodeLimit nodeLimit, Now now);

  CounterState copy();
}
