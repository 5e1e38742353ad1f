package dev.weir.local;

import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;

/** This node's part of a limit that several nodes divide among themselves. */
sealed interface NodeLimit
    permits BucketNodeLimit,
        LeakyNodeLimit,
        WindowNodeLimit,
        SlidingNodeLimit,
        ConcurrencyNodeLimit {

  /** Returns the limit as configured, for all nodes together. */
  Limit limit();

  int nodes();

  /** Returns the cost of the most expensive request. */
  long dearest();

  /** Returns the most that can be acquired at once here, in permits. */
  long capacity();

  /** Returns how long another store must decide until the next outage counts as new. */
  long forgottenAfterNanos();

  /** Returns whether this is the part of that limit among so many nodes, with such costs. */
  default boolean isOf(Limit other, int otherNodes, long otherDearest) {
    return nodes() == otherNodes && dearest() == otherDearest && limit().equals(other);
  }

  /** Returns a new, unused counter. */
  CounterState open(Now now);

  /**
   * Returns the part of one node among so many.
   *
   * @param dearest the smallest part that allows every request of the rules at times
   */
  static NodeLimit of(Limit limit, int nodes, long dearest) {
    long least = Math.min(limit.capacity(), Math.max(1, dearest));
    if (limit instanceof TokenBucket bucket) {
      return BucketNodeLimit.of(
          bucket, nodes, dearest, Math.max(least, ceilDiv(bucket.burst(), nodes)));
    }
    if (limit instanceof LeakyBucket leaky) {
      return LeakyNodeLimit.of(
          leaky, nodes, dearest, Math.max(least, ceilDiv(leaky.capacity(), nodes)));
    }
    if (limit instanceof FixedWindow window) {
      return WindowNodeLimit.of(window, nodes, dearest, Math.max(least, window.quota() / nodes));
    }
    if (limit instanceof Concurrency concurrency) {
      return new ConcurrencyNodeLimit(
          concurrency, nodes, dearest, Math.max(least, concurrency.permits() / nodes));
    }
    SlidingWindow sliding = (SlidingWindow) limit;
    return SlidingNodeLimit.of(sliding, nodes, dearest, Math.max(least, sliding.quota() / nodes));
  }

  private static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }
}
