package dev.weir.local;

import dev.weir.BucketUnits;
import dev.weir.Receipt;

/**
 * The state of one counter on this node. It is not thread-safe: its shard's lock guards it. All but
 * {@link #age} speak of the moment it was last aged to.
 */
sealed interface Slot permits BucketSlot, LeakySlot, WindowSlot, SlidingSlot, HoldSlot {

  /** Lets time pass until now. */
  void age(Moment now);

  /** How many permits are left; below zero when the limit has shrunk under what was taken. */
  long available();

  /** What so many permits would get, no more than the share's capacity; whole nanoseconds, up. */
  Place place(long permits, Moment now);

  /** How long until this is as good as new. */
  long nanosUntilFull(Moment now);

  /** Takes permits, whether or not they are left. */
  void take(long permits, Moment now);

  /** Takes permits, whether or not they are left; no more than can be counted. */
  default void owe(long permits, Moment now) {
    long room = Math.max(0, available() + BucketUnits.EXACT);
    take(Math.min(permits, room), now);
  }

  /** Takes back so many of the permits that were granted with this stamp. */
  void giveBack(long permits, long stamp, long granted);

  /** Gives permits back, no more than are taken: first those that would return soonest. */
  void reward(long permits);

  /**
   * Begins the lease of what was granted anew. Returns whether it is held: most slots hold none.
   */
  default boolean renew(Receipt.Grant grant, Moment now) {
    return false;
  }

  /**
   * Takes permits that a request may run with, and returns what a later give-back must know of it:
   * the window that it is of, the hold, or when it runs.
   */
  long letIn(long permits, Moment now);

  /** The same consumption under other numbers. */
  Slot under(Share share, Moment now);

  Slot copy();
}
