package dev.weir.near;

/**
 * The recent rate at which permits of one counter are requested on this node. Times are readings of
 * one ticker.
 *
 * <p>Model. Permits are counted over an interval of a millisecond or more, and the rate is measured
 * at its end. Within an interval, the rate is the last one measured.
 *
 * <p>Thread-safe.
 */
final class DemandRate {

  /**
   * The shortest interval. In a shorter one, a few simultaneous requests would appear as high
   * demand.
   */
  private static final long SHORTEST_NANOS = 1_000_000;

  /** The longest interval. Older requests do not predict the next milliseconds. */
  private static final long LONGEST_NANOS = 20_000_000;

  private double permitsPerNano;
  private long counted;
  private long sinceNanos;

  DemandRate(long nowNanos) {
    sinceNanos = nowNanos;
  }

  synchronized void count(long permits, long nowNanos) {
    if (nowNanos - sinceNanos > LONGEST_NANOS) {
      measure(nowNanos);
    }
    counted = Math.min(AvailablePermits.MOST, counted + permits);
  }

  /** Returns how many permits will be requested in this time at the current rate. */
  synchronized long in(long timeNanos, long nowNanos) {
    if (nowNanos - sinceNanos >= SHORTEST_NANOS) {
      measure(nowNanos);
    }
    double permits = permitsPerNano * timeNanos;
    return permits >= AvailablePermits.MOST ? AvailablePermits.MOST : (long) permits;
  }

  private void measure(long nowNanos) {
    permitsPerNano = (double) counted / Math.max(SHORTEST_NANOS, nowNanos - sinceNanos);
    counted = 0;
    sinceNanos = nowNanos;
  }
}
