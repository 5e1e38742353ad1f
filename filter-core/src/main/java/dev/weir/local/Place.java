package dev.weir.local;

/**
 * The place in line that a request would get.
 *
 * @param delayNanos how long after it is let in it may run
 * @param overNanos how long until it can be let in at all; 0 when there is room
 */
record Place(long delayNanos, long overNanos) {

  /** Of a limit that lets in only what may run at once. */
  static Place inTime(long nanos) {
    return new Place(0, nanos);
  }

  /** How long until whoever has so much patience is let in; 0 when that is now. */
  long nanosUntilLetIn(long patienceNanos) {
    return Math.max(overNanos, Math.max(0, delayNanos - patienceNanos));
  }

  /** The same where nothing is let in before a block has ended. */
  Place behind(long blockNanos) {
    return blockNanos == 0 ? this : new Place(0, Math.max(blockNanos, nanosUntilLetIn(0)));
  }
}
