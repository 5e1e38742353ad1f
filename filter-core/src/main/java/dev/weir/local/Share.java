package dev.weir.local;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.TokenBucket;

/** This node's part of a limit that several nodes divide among themselves. */
sealed interface Share permits BucketShare, WindowShare {

  /** The limit as configured, for all nodes together. */
  Limit limit();

  int nodes();

  /** The most that is ever granted at once here, in permits. */
  long capacity();

  /** A counter that nobody has used. */
  Slot open(Moment now);

  /**
   * The part of one node among so many.
   *
   * @param dearest the smallest part that lets every request of the rules pass at times
   */
  static Share of(Limit limit, int nodes, long dearest) {
    long least = Math.min(limit.capacity(), Math.max(1, dearest));
    if (limit instanceof TokenBucket bucket) {
      return BucketShare.of(bucket, nodes, Math.max(least, ceilDiv(bucket.burst(), nodes)));
    }
    if (limit instanceof FixedWindow window) {
      return new WindowShare(window, nodes, Math.max(least, window.quota() / nodes));
    }
    throw new IllegalArgumentException(
        "limit: " + limit + " (expected: a token bucket or a fixed window)");
  }

  private static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }
}
