package dev.weir.local;

import dev.weir.Counter;
import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.local.Shards.Now;

/**
 * One counter in the map, with its block and its place in the queue. Its shard's lock guards it.
 */
final class Entry {

  private final CounterKey key;
  private final String limit;
  private CounterState state;
  private long dueTickNanos;
  private long queuedTickNanos;

  /**
   * The end of a block, or 0. It uses the clock that never pauses, since an outage must not extend
   * a block.
   */
  private long blockEndTickNanos;

  Entry(CounterKey key, String limit, CounterState state, Now now) {
    this.key = key;
    this.limit = limit;
    this.state = state;
    this.dueTickNanos = now.tickNanos();
    this.queuedTickNanos = now.tickNanos();
  }

  CounterKey key() {
    return key;
  }

  String limit() {
    return limit;
  }

  CounterState state() {
    return state;
  }

  /** Advances time to now, and applies the current numbers. Consumption carries over. */
  void bringUpToDate(Counter counter, NodeLimits nodeLimits, int nodes, Now now) {
    state.age(now);
    if (!nodeLimits.isCurrent(state.nodeLimit(), counter, nodes)) {
      CounterState next = nodeLimits.open(counter, nodes, now);
      state.carryOver(next, now);
      state = next;
    }
  }

  void reset(Now now) {
    state = state.unused(now);
    blockEndTickNanos = 0;
  }

  /** Denies everything for this time, unless an existing block ends later. */
  void block(long nanos, Now now) {
    blockEndTickNanos = Math.max(blockEndTickNanos, now.tickNanos() + nanos);
  }

  /** Returns how long a block lasts, or 0 when there is none. */
  long blockedNanos(Now now) {
    return Math.max(0, blockEndTickNanos - now.tickNanos());
  }

  /**
   * Returns how many permits are left. It is 0 during a block, and below zero when the limit has
   * shrunk.
   */
  long available(Now now) {
    return blockedNanos(now) > 0 ? 0 : state.available();
  }

  /**
   * Returns the time until a request that waits at most this long is allowed, or 0 if that is now.
   * During a block nothing is allowed, and nothing can wait.
   *
   * @param permits at most the share's capacity
   */
  long nanosUntilAllowed(long permits, long patienceNanos, Now now) {
    long blockNanos = blockedNanos(now);
    return blockNanos == 0
        ? nanosWithoutBlock(permits, patienceNanos, now)
        : Math.max(blockNanos, nanosWithoutBlock(permits, 0, now));
  }

  private long nanosWithoutBlock(long permits, long patienceNanos, Now now) {
    long fitsNanos = state.nanosUntilFits(permits, now);
    long delayNanos = state.delayNanos(permits, now);
    return Math.max(fitsNanos, Math.max(0, delayNanos - patienceNanos));
  }

  long nanosUntilFull(Now now) {
    return Math.max(state.nanosUntilFull(now), blockedNanos(now));
  }

  boolean isFull(Now now) {
    state.age(now);
    return nanosUntilFull(now) == 0;
  }

  /**
   * Forgets all consumption, if a gap of this length ends an outage for this counter. Later
   * decisions belong to a new outage. A block stays.
   *
   * @return whether the counter is now full
   */
  boolean forgetAfter(long gapNanos, Now now) {
    if (state.forgottenAfterNanos() > gapNanos) {
      return false;
    }
    state = state.unused(now);
    return blockedNanos(now) == 0;
  }

  /**
   * Returns when the shard checks whether this is full, by the clock that never pauses. It is an
   * estimate. Permits that were taken since, or a pause of the other clock, make it too early. A
   * calendar that is set, or new numbers, may make it too late. An adjustment does not, because the
   * shard then queues this again.
   */
  long dueTickNanos() {
    return dueTickNanos;
  }

  long queuedTickNanos() {
    return queuedTickNanos;
  }

  /** Returns whether this is full before it is due, unless it is due already. */
  boolean isFullBeforeDue(Now now) {
    return dueTickNanos > now.tickNanos() && whenFull(now) < dueTickNanos;
  }

  /** Estimates when this is full. Called only while the entry is in no queue. */
  void guessDue(Now now) {
    queuedTickNanos = now.tickNanos();
    dueTickNanos = whenFull(now);
  }

  private long whenFull(Now now) {
    long nowNanos = now.tickNanos();
    long leftNanos = nanosUntilFull(now);
    return leftNanos > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + leftNanos;
  }
}
