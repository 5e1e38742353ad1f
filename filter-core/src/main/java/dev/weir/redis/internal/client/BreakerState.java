package dev.weir.redis.internal.client;

/**
 * The state of a breaker, which decides when to stop calling Redis and when to call it again. Each
 * event has a pure function that returns the next state.
 *
 * <p>A closed breaker opens at 5 failures in a row. It also opens when at least half of at least 20
 * replies within a second were failures. It opens at once after a single failure that is proof:
 * Redis cannot be connected to, or does not respond. A script call that decides for several
 * requests has one reply. While the breaker is open, only probes call Redis. It closes after 3
 * successful probes in a row. Calls that were in flight when it opened do not change it.
 *
 * <p>All times are {@link System#nanoTime} readings, compared by difference.
 */
public sealed interface BreakerState {

  int FAILURES_IN_A_ROW = 5;
  int FEWEST_CALLS = 20;
  int PROBES_IN_A_ROW = 3;
  long WINDOW_NANOS = 1_000_000_000L;

  /**
   * Redis decides.
   *
   * @param inARow failures since the last success
   * @param windowNanos the start of the second in which calls and failures are counted
   */
  record Closed(int inARow, long windowNanos, int calls, int failures) implements BreakerState {

    @Override
    public BreakerState afterSuccess(long nowNanos) {
      return counted(0, nowNanos, 0);
    }

    @Override
    public BreakerState afterFailure(long nowNanos, long delayNanos) {
      Closed next = counted(inARow + 1, nowNanos, 1);
      boolean tooMany = next.calls >= FEWEST_CALLS && 2 * next.failures >= next.calls;
      return tooMany || next.inARow >= FAILURES_IN_A_ROW
          ? new Open(0, nowNanos + delayNanos)
          : next;
    }

    @Override
    public BreakerState afterProof(long nextProbeNanos) {
      return new Open(0, nextProbeNanos);
    }

    private Closed counted(int row, long nowNanos, int failed) {
      return nowNanos - windowNanos >= WINDOW_NANOS
          ? new Closed(row, nowNanos, 1, failed)
          : new Closed(row, windowNanos, calls + 1, failures + failed);
    }
  }

  /**
   * Redis is unavailable.
   *
   * @param passed successful probes in a row, fewer than required to close
   * @param nextProbeNanos the time of the next probe
   */
  record Open(int passed, long nextProbeNanos) implements BreakerState {

    @Override
    public BreakerState afterProbe(boolean succeeded, long nowNanos, long delayNanos) {
      int row = succeeded ? passed + 1 : 0;
      return row >= PROBES_IN_A_ROW ? closed(nowNanos) : new Open(row, nowNanos + delayNanos);
    }
  }

  /** Returns the first state of a store. Redis is believed to respond until it does not. */
  static BreakerState closed(long nowNanos) {
    return new Closed(0, nowNanos, 0, 0);
  }

  /** Returns the state after a call with a reply of Redis. */
  default BreakerState afterSuccess(long nowNanos) {
    return this;
  }

  /** Returns the state after a failed call. If the breaker opens, it probes after this delay. */
  default BreakerState afterFailure(long nowNanos, long delayNanos) {
    return this;
  }

  /** Returns the state after a failure that is proof by itself. */
  default BreakerState afterProof(long nextProbeNanos) {
    return this;
  }

  /** Returns the state after a probe. If the breaker stays open, it probes after this delay. */
  default BreakerState afterProbe(boolean succeeded, long nowNanos, long delayNanos) {
    return this;
  }
}
