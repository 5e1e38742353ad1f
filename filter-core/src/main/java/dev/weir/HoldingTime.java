package dev.weir;

/**
 * How long permits of one concurrency limit are held, as this node has seen it lately.
 *
 * <p>Model. The mean holding time h is that of about the last eight permits that have returned.
 * Permits that are still held may have been held for longer, since the last return: then h is the
 * mean of that. So when everything hangs, the estimate grows with the time for which it has.
 *
 * <p>With M permits of one counter held everywhere, one returns every h/M, and so k of them return
 * within k·h/M. Before the first return on this node h is M seconds, and M times the mean time for
 * which this node has held its own.
 *
 * <p>Of all subjects. Where others hold theirs and return none, they weigh no more than what
 * returns: h is that of the returns, as long as these go on. What returns after a long time makes h
 * longer for all, until about eight have returned after it.
 *
 * <p>Invariant. A permit is counted as held from its grant until it is returned or lost. What is
 * lost ends without a return: it says nothing about how long work takes.
 *
 * <p>Example. Two permits are held for 0.5 s each and return together: h = 0.5 s. Both are held
 * again, a third request comes 0.1 s later: it is told 0.25 s. Nothing returns for 4 s: the two
 * have been held for 4 s each, so h is M = 2 times that, and it is told 4 s.
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

  /**
   * @param heldNanos for how long
   */
  synchronized void returned(long permits, long heldNanos, long nowNanos) {
    pass(nowNanos);
    held -= permits;
    permitNanos = permitNanos * KEPT + (double) permits * heldNanos;
    returns = returns * KEPT + permits;
    nanosSinceReturn = 0;
  }

  /** Those that are left keep their mean. */
  synchronized void lost(long permits, long nowNanos) {
    pass(nowNanos);
    nanosSinceReturn *= (double) (held - permits) / held;
    held -= permits;
  }

  /**
   * How long until so many permits are expected to return.
   *
   * @param heldEverywhere of the counter that denies, at least 1
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
