package dev.weir.local;

/**
 * The state of one counter on this node. It is not thread-safe: its shard's lock guards it. All but
 * {@link #age} speak of the moment it was last aged to.
 */
sealed interface Slot permits BucketSlot, WindowSlot, SlidingSlot {

  /** Lets time pass until now. */
  void age(Moment now);

  /** How many permits are left; below zero when the limit has shrunk under what was taken. */
  long available();

  /** How long until so many are left, in whole nanoseconds, up; at most the share's capacity. */
  long nanosUntil(long permits, Moment now);

  /** How long until this is as good as new. */
  long nanosUntilFull(Moment now);

  /** Takes permits, whether or not they are left. */
  void take(long permits, Moment now);

  /** Takes back what the state of this stamp has granted. */
  void giveBack(long permits, long stamp);

  /** Gives permits back, no more than are taken: first those that would return soonest. */
  void reward(long permits);

  /** Identifies the window in use; 0 for what has no windows. */
  long stamp();

  /** The same consumption under other numbers. */
  Slot under(Share share, Moment now);

  Slot copy();
}
