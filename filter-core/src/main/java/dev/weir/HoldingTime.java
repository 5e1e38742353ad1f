package dev.weir;

/**
 * How long permits of one concurrency limit are held, as this node has seen it lately.
 *
 * <p>Model. Permits that are held add up permit-time: two held for 3 s make 6 s. The mean holding
 * time h is the permit-time for each permit returned, of about the last eight returns. So permits
 * that are still held count too. What has come up since the last return may exceed h; then h is
 * that: when everything hangs, the estimate grows with the time for which it has.
 *
 * <p>With M permits held everywhere, one returns every h/M, and so k of them return within k·h/M.
 * Before the first return on this node that is a second for each, and the time for which this node
 * has held its own.
 *
 * <p>Invariant. A permit is counted as held from its grant until it is returned or lost. What is
 * lost ends without a return: it says nothing about how long work takes.
 *
 * <p>Example. Two permits are held for 0.5 s each and return together: 1 s of permit-time, h = 0.5
 * s. Both are held again, a third request comes 0.1 s later: it is told 0.25 s. Nothing returns for
 * 4 s: it is told 4 s.
 *
 * <p>Thread-safe.
 */
final class HoldingTime {

  /** What a return weighs when another one has come: about eight count. */
  private static final double KEPT = 7.0 / 8;

  /** How long a permit is held where none has returned. */
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

  synchronized void returned(long permits, long nowNanos) {
    pass(nowNanos);
    held -= permits;
    permitNanos = permitNanos * KEPT + nanosSinceReturn;
    returns = returns * KEPT + permits;
    nanosSinceReturn = 0;
  }

  synchronized void lost(long permits, long nowNanos) {
    pass(nowNanos);
    held -= permits;
  }

  /**
   * How long until so many permits are expected to return.
   *
   * @param heldEverywhere at least 1
   */
  synchronized double nanosUntil(long permits, long heldEverywhere, long nowNanos) {
    pass(nowNanos);
    double mean =
        returns == 0
            ? GUESS_NANOS * heldEverywhere + nanosSinceReturn
            : Math.max(permitNanos / returns, nanosSinceReturn);
    return mean * permits / heldEverywhere;
  }

  private void pass(long nowNanos) {
    nanosSinceReturn += (double) held * Math.max(0, nowNanos - seenNanos);
    seenNanos = nowNanos;
  }
}
