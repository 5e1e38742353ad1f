package dev.weir.redis.internal.client;

/**
 * When to stop asking Redis, and when to ask it again: a pure function from what it is and what
 * happened to what it is next.
 *
 * <p>Closed, it opens at 5 failures in a row, or when at least half of at least 20 replies within a
 * second were failures; and at once, where one failure is proof: Redis cannot be connected to, or
 * does not respond. A script call that decides for several requests has one reply. Open, nobody but
 * a probe asks Redis, and 3 probes in a row must succeed. Calls that were under way when it opened
 * no longer count.
 *
 * <p>All times are {@link System#nanoTime} readings, compared by difference.
 */
public sealed interface BreakerState {

  int FAILURES_IN_A_ROW = 5;
  int FEWEST_CALLS = 20;
  int PROBES_IN_A_ROW = 3;
  long WINDOW_NANOS = 1_000_000_000L;

  /** As a store starts: Redis is believed to answer until it does not. */
  static BreakerState closed(long nowNanos) {
    return new Closed(0, nowNanos, 0, 0);
  }

  /** After a call that Redis answered. */
  BreakerState afterSuccess(long nowNanos);

  /**
   * After a call that failed.
   *
   * @param delayNanos how long until the first probe, should this open it
   */
  BreakerState afterFailure(long nowNanos, long delayNanos);

  /** After a failure that needs no second one to be believed. */
  BreakerState afterProof(long nextProbeNanos);

  /**
   * After a probe.
   *
   * @param delayNanos how long until the next one, should it stay open
   */
  BreakerState afterProbe(boolean succeeded, long nowNanos, long delayNanos);

  /**
   * Redis decides.
   *
   * @param inARow failures since the last success
   * @param windowNanos when the second began that calls and failures are counted in
   */
  record Closed(int inARow, long windowNanos, int calls, int failures) implements BreakerState {

    @Override
    public BreakerState afterSuccess(long nowNanos) {
      return counted(nowNanos, 0);
    }

    @Override
    public BreakerState afterFailure(long nowNanos, long delayNanos) {
      Closed next = counted(nowNanos, 1);
      boolean tooMany = next.calls >= FEWEST_CALLS && 2 * next.failures >= next.calls;
      return tooMany || next.inARow >= FAILURES_IN_A_ROW
          ? new Open(0, nowNanos + delayNanos)
          : next;
    }

    @Override
    public BreakerState afterProof(long nextProbeNanos) {
      return new Open(0, nextProbeNanos);
    }

    @Override
    public BreakerState afterProbe(boolean succeeded, long nowNanos, long delayNanos) {
      return this;
    }

    private Closed counted(long nowNanos, int failed) {
      int row = failed == 0 ? 0 : inARow + 1;
      return nowNanos - windowNanos >= WINDOW_NANOS
          ? new Closed(row, nowNanos, 1, failed)
          : new Closed(row, windowNanos, calls + 1, failures + failed);
    }
  }

  /**
   * Redis is out.
   *
   * @param passed probes that succeeded in a row, fewer than it takes
   * @param nextProbeNanos when the next probe is due
   */
  record Open(int passed, long nextProbeNanos) implements BreakerState {

    @Override
    public BreakerState afterSuccess(long nowNanos) {
      return this;
    }

    @Override
    public BreakerState afterFailure(long nowNanos, long delayNanos) {
      return this;
    }

    @Override
    public BreakerState afterProof(long nextProbeNanos) {
      return this;
    }

    @Override
    public BreakerState afterProbe(boolean succeeded, long nowNanos, long delayNanos) {
      if (!succeeded) {
        return new Open(0, nowNanos + delayNanos);
      }
      return passed + 1 >= PROBES_IN_A_ROW
          ? BreakerState.closed(nowNanos)
          : new Open(passed + 1, nowNanos + delayNanos);
    }
  }
}
