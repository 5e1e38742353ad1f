package dev.weir.near;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Permits at hand, from which threads take without a lock.
 *
 * <p>Model. Beside their number stands that of the round: a new one begins whenever it is told to
 * the store how many are left, which counts all others as spent. What was taken may be put back
 * only in the round in which it was taken; later it is spent, or it would be there twice.
 */
final class Stock {

  static final long MOST = (1L << 44) - 1;

  /** What {@link #take} returns when there is not enough. */
  static final long NONE = -1;

  private static final int PERMIT_BITS = 44;

  private final AtomicLong word = new AtomicLong();

  /**
   * Takes so many permits, or none.
   *
   * @return the round in which they were taken, or {@link #NONE}
   */
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

  /** Puts back what was taken in a round; after it, they stay spent. */
  void putBack(long permits, long round) {
    while (true) {
      long now = word.get();
      if (roundOf(now) != round || word.compareAndSet(now, now + permits)) {
        return;
      }
    }
  }

  /**
   * Begins a new round with what is left, but no more than so many.
   *
   * @return what was left before
   */
  long cut(long most) {
    while (true) {
      long now = word.get();
      long kept = Math.min(most, permitsOf(now));
      long round = (roundOf(now) + 1) << PERMIT_BITS;
      if (word.compareAndSet(now, round | kept)) {
        return permitsOf(now);
      }
    }
  }

  /**
   * @param permits that come to no more than {@link #MOST} with those that are here
   */
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
