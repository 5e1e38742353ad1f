package dev.weir.local;

/**
 * The position in the queue that a request would get.
 *
 * @param delayNanos how long after its permits are acquired it may run
 * @param overNanos how long until they can be acquired at all; 0 if that is now
 */
record QueuePosition(long delayNanos, long overNanos) {

  /** Returns the position for a limit that allows only requests that run at once. */
  static QueuePosition inTime(long nanos) {
    return new QueuePosition(0, nanos);
  }

  /**
   * Returns the time until a request that waits at most this long is allowed, or 0 if that is now.
   */
  long nanosUntilLetIn(long patienceNanos) {
    return Math.max(overNanos, Math.max(0, delayNanos - patienceNanos));
  }

  /** Returns the position after a block, before which nothing is allowed. */
  QueuePosition behind(long blockNanos) {
    return blockNanos == 0 ? this : new QueuePosition(0, Math.max(blockNanos, nanosUntilLetIn(0)));
  }
}
