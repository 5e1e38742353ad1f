package dev.weir.near;

/**
 * How many permits of one counter this node is asked for, as of late. Times are readings of one
 * ticker.
 *
 * <p>Model. Permits are counted from one look at them to the next, and a look is taken over a
 * millisecond or more. In between, the pace is the last one found.
 *
 * <p>Thread-safe.
 */
final class Pace {

  /** Over less time a few requests that came at once would look like a crowd. */
  private static final long SHORTEST_NANOS = 1_000_000;

  /** What was asked for longer ago says nothing of the next milliseconds. */
  private static final long LONGEST_NANOS = 20_000_000;

  private double permitsPerNano;
  private long counted;
  private long sinceNanos;

  Pace(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /** So many more were asked for. */
  synchronized void count(long permits, long nowNanos) {
    if (nowNanos - sinceNanos > LONGEST_NANOS) {
      look(nowNanos);
    }
    counted = Math.min(Stock.MOST, counted + permits);
  }

  /** How many will be asked for in so much time, if it goes on like that. */
  synchronized long in(long timeNanos, long nowNanos) {
    if (nowNanos - sinceNanos >= SHORTEST_NANOS) {
      look(nowNanos);
    }
    double permits = permitsPerNano * timeNanos;
    return permits >= Stock.MOST ? Stock.MOST : (long) permits;
  }

  private void look(long nowNanos) {
    permitsPerNano = (double) counted / Math.max(SHORTEST_NANOS, nowNanos - sinceNanos);
    counted = 0;
    sinceNanos = nowNanos;
  }
}
