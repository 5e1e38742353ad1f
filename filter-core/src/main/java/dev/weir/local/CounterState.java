package dev.weir.local;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import dev.weir.store.Decision.Receipt;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One counter on this node: its share of a limit, and what was taken of it. Each algorithm is one
 * subclass, which holds all that this package knows of it.
 *
 * <p><b>Dear requests.</b> A share may be smaller than what one request costs. Such a request is
 * dear. It could never pass, or the share would have to grow, and cheap requests would take what it
 * grew by.
 *
 * <p><b>Model.</b> A dear request passes when the whole share is free. It takes all of it, and what
 * it costs beyond the share is a debt. Later requests owe the debt: none passes until the share has
 * paid it, at the node's part of the rate. A bucket's level is below zero meanwhile. A fixed window
 * takes the debt along: the windows that follow start with it, and each pays at most the share. A
 * sliding window charges it as earlier permits expire. A concurrency limit holds more than the
 * share until the dear request ends.
 *
 * <p>Alongside other requests the whole share may never be free at once. So the first dear request
 * that is denied is promised a retry at the time at which the share would be free if nothing else
 * came. From then on one dear request passes as soon as nothing is owed and nobody waits before it
 * ({@link Entry}). In a window, what an earlier debt has taken of the share does not keep it from
 * being free.
 *
 * <p><b>Invariant.</b> What was admitted, less what is owed, is never more than the share and its
 * rate allow. A dear request passes only while nothing is owed, so no more than one dear request is
 * owed. In any instant a node admits at most its share and one dear request.
 *
 * <p><b>Example.</b> Ten nodes share 100 per minute. A request that costs 50 leaves a bucket of 10
 * at -40. After four minutes the bucket is empty, after five it is full, and the next such request
 * passes. In windows of a minute the first takes 10 and owes 40. The next four windows pay 10 each,
 * and the sixth is free.
 *
 * <p>It is not thread-safe, so its shard's lock guards it. All methods but {@link #age} refer to
 * the time of the last aging. Times are in whole nanoseconds, rounded up.
 */
abstract sealed class CounterState
    permits TokenBucketState,
        LeakyBucketState,
        FixedWindowState,
        SlidingWindowState,
        ConcurrencyState {

  private final NodeLimit share;
  private long nanos;
  private long tickNanos;

  /**
   * One node's share of a limit that several nodes divide. All counters of the share have the same
   * object.
   *
   * @param limit as configured, for all nodes together
   * @param mostPermits that one request of all nodes together may take
   * @param permits of the share; a request that costs more leaves a debt
   */
  record NodeLimit(Limit limit, long mostPermits, int nodes, long permits, long timeToFullNanos) {

    /** Returns one node's share of a limit: an even part of its capacity, at least 1. */
    static NodeLimit of(Limit limit, int nodes, long evenPart) {
      long timeToFullNanos = TimeUnit.NANOSECONDS.convert(limit.timeToFull());
      return new NodeLimit(limit, limit.capacity(), nodes, Math.max(1, evenPart), timeToFullNanos);
    }
  }

  CounterState(NodeLimit share) {
    this.share = share;
  }

  /** Returns an unused counter of a limit that so many nodes share. Its clocks are at zero. */
  static CounterState of(Limit limit, int nodes, Supplier<Instant> calendar) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> TokenBucketState.of((TokenBucket) limit, nodes);
      case LEAKY_BUCKET -> LeakyBucketState.of((LeakyBucket) limit, nodes);
      case FIXED_WINDOW -> FixedWindowState.of((FixedWindow) limit, nodes, calendar);
      case SLIDING_WINDOW -> SlidingWindowState.of((SlidingWindow) limit, nodes);
      case CONCURRENCY -> ConcurrencyState.of((Concurrency) limit, nodes);
    };
  }

  final NodeLimit share() {
    return share;
  }

  /** Returns whether this is the current share, since nodes and numbers may change. */
  final boolean isShareOf(Limit limit, int nodes) {
    return share.nodes == nodes && (share.limit == limit || share.limit.equals(limit));
  }

  /** Returns whether a request for so many permits never fits, on any number of nodes. */
  final boolean isBeyondLimit(long permits) {
    return permits > share.mostPermits;
  }

  /** Returns the share, in permits. A request that costs more is dear. */
  final long capacity() {
    return share.permits;
  }

  /** Returns how long another store must decide until the next outage counts as new. */
  long forgottenAfterNanos() {
    return share.timeToFullNanos;
  }

  /**
   * Returns an unused counter of the same share. Its clocks are at zero. It reads only what never
   * changes, so it needs no lock.
   */
  abstract CounterState unused();

  /** Returns an unused counter of the same share, at the time of this one. */
  final CounterState unusedNow() {
    CounterState unused = unused();
    unused.age(nanos, tickNanos);
    return unused;
  }

  /** Returns a counter with the same share and the same consumption. */
  CounterState copy() {
    CounterState copy = unusedNow();
    carryOver(copy);
    return copy;
  }

  /**
   * Returns the first state of a counter of its own, whose subject has shared this one. It has all
   * consumption that may be the subject's.
   */
  CounterState copyFor(CounterKey key) {
    return copy();
  }

  /** Carries consumption over to an unused counter, whose share or algorithm may be another. */
  abstract void carryOver(CounterState next);

  /** Takes what a counter of another algorithm has taken, of which a debt is owed. */
  void inherit(long taken, long debt) {
    take(taken);
  }

  /** Advances both clocks of {@link Shards} to this time. Consumption is paid back. */
  final void age(long newNanos, long newTickNanos) {
    nanos = newNanos;
    tickNanos = newTickNanos;
    age();
  }

  abstract void age();

  /** Returns the time of the last aging, by the clock that pauses while another store decides. */
  final long nanos() {
    return nanos;
  }

  /** Returns the same time, by the clock that never pauses. */
  final long tickNanos() {
    return tickNanos;
  }

  /**
   * Returns how many permits are left. It is below zero while a debt is owed, and when the limit
   * has shrunk below what was taken.
   */
  abstract long available();

  /**
   * Returns the time until so many permits, at most the capacity, may be taken. It is 0 if that is
   * now. Those of a {@linkplain Limit.Algorithm#isReservable reservable} limit may be taken ahead
   * of time.
   */
  abstract long nanosUntilFits(long permits);

  /** Returns the time until a dear request may pass, if nothing else is taken. */
  long nanosUntilFree() {
    return nanosUntilFits(capacity());
  }

  /** Returns the time until nothing is owed, if nothing else is taken. */
  long nanosUntilPaid() {
    return nanosUntilFits(0);
  }

  /**
   * Returns the time until a dear request may pass that was promised a retry, if nothing else is
   * taken: nothing is owed, and it passes nobody who waits.
   */
  long nanosUntilTurn() {
    return nanosUntilPaid();
  }

  /**
   * Returns the time until so many permits may be used, if they are taken now. It is always 0 if
   * the limit is not {@linkplain Limit.Algorithm#isReservable reservable}.
   */
  long delayNanos(long permits) {
    return 0;
  }

  abstract long nanosUntilFull();

  /** Takes permits, whether or not they are left. */
  abstract void take(long permits);

  /** Returns a time and so many times another, at most what a long holds. */
  static long plus(long nanos, long times, long otherNanos) {
    return times > (Long.MAX_VALUE - nanos) / otherNanos
        ? Long.MAX_VALUE
        : nanos + times * otherNanos;
  }

  /** Takes permits, whether or not they are left, up to the largest debt that can be counted. */
  void debit(long permits) {
    long room = Math.max(0, available() + BucketUnits.EXACT);
    take(Math.min(permits, room));
  }

  /**
   * Takes permits for a request that is allowed. What is beyond the share is owed. Returns the
   * stamp for a later refund: the window, the id of the permits, or the time at which the request
   * runs.
   *
   * @param delayNanos the time until it runs; 0 if the limit is not reservable
   * @param key of the counter that was requested, which may share this one with others
   */
  abstract long acquire(long permits, long delayNanos, CounterKey key);

  /** Refunds so many of the permits that were acquired with this stamp. */
  abstract void refund(long permits, long stamp, long granted);

  /** Ends a debt that is not the subject's. The share stays taken. */
  void forgive() {
    reward(Math.max(0, -available()));
  }

  /** Returns permits, at most as many as are taken. Those that would return soonest are first. */
  abstract void reward(long permits);

  /**
   * Renews the permits of a grant. Returns whether they are still held, which is false for most
   * algorithms.
   */
  boolean renew(Receipt.Grant grant) {
    return false;
  }
}
