package dev.weir.local;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;

/** This node's part of a limit that several nodes divide among themselves. */
sealed interface Share permits BucketShare, LeakyShare, WindowShare, SlidingShare, HoldShare {

  /** The limit as configured, for all nodes together. */
  Limit limit();

  int nodes();

  /** What the dearest request costs. */
  long dearest();

  /** The most that is ever granted at once here, in permits. */
  long capacity();

  /** Once another store has decided for so long, what follows is a new outage. */
  long forgottenAfterNanos();

  /** Whether this is the part of that limit among so many nodes, with such costs. */
  default boolean isOf(Limit other, int otherNodes, long otherDearest) {
    return nodes() == otherNodes && dearest() == otherDearest && limit().equals(other);
  }

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
      return BucketShare.of(
          bucket, nodes, dearest, Math.max(least, ceilDiv(bucket.burst(), nodes)));
    }
    if (limit instanceof LeakyBucket leaky) {
      return LeakyShare.of(
          leaky, nodes, dearest, Math.max(least, ceilDiv(leaky.capacity(), nodes)));
    }
    if (limit instanceof FixedWindow window) {
      return WindowShare.of(window, nodes, dearest, Math.max(least, window.quota() / nodes));
    }
    if (limit instanceof Concurrency concurrency) {
      return new HoldShare(
          concurrency, nodes, dearest, Math.max(least, concurrency.permits() / nodes));
    }
    SlidingWindow sliding = (SlidingWindow) limit;
    return SlidingShare.of(sliding, nodes, dearest, Math.max(least, sliding.quota() / nodes));
  }

  private static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }
}
