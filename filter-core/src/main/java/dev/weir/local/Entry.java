package dev.weir.local;

import dev.weir.Counter;
import dev.weir.internal.CounterKeys.CounterKey;

/** One counter in the map. Its shard's lock guards it. */
final class Entry {

  private final CounterKey key;
  private final String limit;
  private NodeLimit nodeLimit;
  private CounterState state;
  private long dueNanos;
  private long queuedNanos;

  /**
   * The end of a block, or 0. It uses the clock that never pauses, since an outage must not extend
   * a block.
   */
  private long blockEndTickNanos;

  Entry(CounterKey key, String limit, NodeLimit nodeLimit, CounterState state, Now now) {
    this.key = key;
    this.limit = limit;
    this.nodeLimit = nodeLimit;
    this.state = state;
    this.dueNanos = now.nanos();
    this.queuedNanos = now.nanos();
  }

  CounterKey key() {
    return key;
  }

  /** Returns the limit's name. */
  String limit() {
    return limit;
  }

  NodeLimit nodeLimit() {
    return nodeLimit;
  }

  CounterState state() {
    return state;
  }

  /** Advances time to now. */
  void age(Now now) {
    state.age(now);
  }

  /** Advances time to now, and applies the current numbers. */
  void bringUpToDate(Counter counter, NodeLimits nodeLimits, int nodes, Now now) {
    age(now);
    if (!nodeLimits.holds(nodeLimit, counter, nodes)) {
      follow(nodeLimits.of(counter, nodes), now);
    }
  }

  /** Applies these numbers from now on. Consumption carries over. */
  private void follow(NodeLimit next, Now now) {
    state = state.under(next, now);
    nodeLimit = next;
  }

  /** Forgets all consumption and any block. */
  void reset(Now now) {
    state = nodeLimit.open(now);
    blockEndTickNanos = 0;
  }

  /** Denies everything for this time, unless an existing block ends later. */
  void block(long nanos, Now now) {
    blockEndTickNanos = Math.max(blockEndTickNanos, now.tickNanos() + nanos);
  }

  /** Takes permits, whether or not they are left, up to the largest debt that can be counted. */
  void debit(long permits, Now now) {
    state.debit(permits, now);
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

  /** Returns the queue position for so many permits, at most the share's capacity. */
  QueuePosition position(long permits, Now now) {
    return state.position(permits, now).behind(blockedNanos(now));
  }

  /** Returns the time until this is full. */
  long nanosUntilFull(Now now) {
    return Math.max(state.nanosUntilFull(now), blockedNanos(now));
  }

  /** Returns whether the counter is full at this time. */
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
    if (nodeLimit.forgottenAfterNanos() > gapNanos) {
      return false;
    }
    state = nodeLimit.open(now);
    return blockedNanos(now) == 0;
  }

  /**
   * Returns when the shard checks whether this is full. It is an estimate. It is never later than
   * the actual time if no permits are taken and no clock pauses.
   */
  long dueNanos() {
    return dueNanos;
  }

  /** Returns when the entry was queued. */
  long queuedNanos() {
    return queuedNanos;
  }

  /** Estimates when this is full. Called only while the entry is in no queue. */
  void guessDue(Now now) {
    queuedNanos = now.nanos();
    long leftNanos = nanosUntilFull(now);
    dueNanos = leftNanos > Long.MAX_VALUE - now.nanos() ? Long.MAX_VALUE : now.nanos() + leftNanos;
  }
}
