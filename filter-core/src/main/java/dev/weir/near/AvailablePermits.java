package dev.weir.near;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Available permits, which threads take without a lock.
 *
 * <p>Model. The number of permits is stored together with the number of a round. A new round begins
 * whenever the number left is reported to the store, which counts all others as spent. Permits may
 * be put back only in the round in which they were taken. Later they are spent, since they would
 * otherwise exist twice. One word holds both, so between two rounds no thread finds less than is
 * kept.
 */
final class AvailablePermits {

  static final long MOST = (1L << 44) - 1;

  /** The result of {@link #take} when there are not enough permits. */
  static final long NONE = -1;

  private static final int PERMIT_BITS = 44;

  private final AtomicLong word = new AtomicLong();

  /** Takes so many permits, and returns the round in which they were taken; else {@link #NONE}. */
  long take(long permits) {
    while (true) {
      long now = word.get();
      if (permitsOf(now) < permits) {
        return NONE;
      }
      if (word.compareAndSet(now, now - permits)) {
        return roundOf(now);
      }
    }
  }

  /** Puts permits back that were taken in this round. After the round they stay spent. */
  void putBack(long permits, long round) {
    while (true) {
      long now = word.get();
      if (roundOf(now) != round || word.compareAndSet(now, now + permits)) {
        return;
      }
    }
  }

  /** Begins a new round with at most so many of the permits left. Returns how many were left. */
  long cut(long most) {
    return permitsOf(
        word.getAndUpdate(
            now -> ((roundOf(now) + 1) << PERMIT_BITS) | Math.min(most, permitsOf(now))));
  }

  /** Adds permits, which do not exceed {@link #MOST} together with the present ones. */
  void add(long permits) {
    word.addAndGet(permits);
  }

  long permits() {
    return permitsOf(word.get());
  }

  private static long permitsOf(long word) {
    return word & MOST;
  }

  private static long roundOf(long word) {
    return word >>> PERMIT_BITS;
  }
}
