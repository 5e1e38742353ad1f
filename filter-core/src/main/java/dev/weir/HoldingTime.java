package dev.weir;

/**
 * The recent holding time of one concurrency limit's permits, as this node has observed it.
 *
 * <p>Model. The mean holding time h is that of about the last eight permits that have returned.
 * Permits that are still held may have been held for longer since the last return. Then h is based
 * on the mean of that time. So when everything hangs, the estimate grows with the time since the
 * last return.
 *
 * <p>With M permits of one counter held everywhere, one returns every h/M, and so k of them return
 * within k·h/M. For permits that hang, h is M times their mean time since the last return. Before
 * the first return on this node, h is M seconds plus M times the mean time for which this node has
 * held its permits.
 *
 * <p>The estimate covers all subjects. Some subjects may hold their permits and return none. Those
 * permits weigh no more than what returns: h is that of the returns, as long as these continue. A
 * return after a long time makes h longer for all subjects, until about eight permits have returned
 * after it.
 *
 * <p>Invariant. A permit is counted as held from its grant until it is returned or lost. A lost
 * permit ends without a return, since it says nothing about how long work takes.
 *
 * <p>Example. Two permits are held for 0.5 s each and return together: h = 0.5 s. Both are held
 * again, and a third request comes 0.1 s later. Its estimate is 0.25 s. Nothing returns for 4 s.
 * The two permits have been held for 4 s each, so h is M = 2 times that, and the estimate is 4 s.
 *
 * <p>Thread-safe.
 */
final class HoldingTime {

  /** The part of its weight that a return keeps after the next one: about eight returns count. */
  private static final double KEPT = 7.0 / 8;

  /** The assumed time until a permit returns, before any has returned. */
  private static final double GUESS_NANOS = 1e9;

  private double permitNanos;
  private double returns;

  private long held;
  private long seenNanos;
  private double nanosSinceReturn;

  synchronized void granted(long permits, long nowNanos) {
    pass(nowNanos);
    held += permits;
  }

  /**
   * @param heldNanos how long they were held
   */
  synchronized void returned(long permits, long heldNanos, long nowNanos) {
    pass(nowNanos);
    held -= permits;
    permitNanos = permitNanos * KEPT + (double) permits * heldNanos;
    returns = returns * KEPT + permits;
    nanosSinceReturn = 0;
  }

  /** Removes lost permits. The remaining permits keep their mean time. */
  synchronized void lost(long permits, long nowNanos) {
    pass(nowNanos);
    nanosSinceReturn *= (double) (held - permits) / held;
    held -= permits;
  }

  /**
   * Returns how long until this many permits are expected to return, in nanoseconds.
   *
   * @param heldEverywhere how many permits of the counter that denies are held, at least 1
   */
  synchronized double nanosUntil(long permits, long heldEverywhere, long nowNanos) {
    pass(nowNanos);
    double hangingNanos = nanosSinceReturn * heldEverywhere / Math.max(1, held);
    double mean =
        returns == 0
            ? GUESS_NANOS * heldEverywhere + hangingNanos
            : Math.max(permitNanos / returns, hangingNanos);
    return mean * permits / heldEverywhere;
  }

  private void pass(long nowNanos) {
    nanosSinceReturn += (double) held * Math.max(0, nowNanos - seenNanos);
    seenNanos = nowNanos;
  }
}
