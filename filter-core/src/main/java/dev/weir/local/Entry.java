package dev.weir.local;

import dev.weir.Counter;
import dev.weir.internal.CounterKey;

/** One counter in the map. Its shard's lock guards it. */
final class Entry {

  private final CounterKey key;
  private final String limit;
  private Share share;
  private Slot slot;
  private long dueNanos;
  private long queuedNanos;

  /** On the clock that never stands, for no outage makes a block longer; 0 without a block. */
  private long blockEndTickNanos;

  Entry(CounterKey key, String limit, Share share, Slot slot, Moment now) {
    this.key = key;
    this.limit = limit;
    this.share = share;
    this.slot = slot;
    this.dueNanos = now.nanos();
    this.queuedNanos = now.nanos();
  }

  CounterKey key() {
    return key;
  }

  /** The limit's name. */
  String limit() {
    return limit;
  }

  Share share() {
    return share;
  }

  Slot slot() {
    return slot;
  }

  /** Lets time pass until now. */
  void age(Moment now) {
    slot.age(now);
  }

  /** The same, and counts by the numbers that hold now. */
  void bringUpToDate(Counter counter, Shares shares, int nodes, Moment now) {
    age(now);
    if (!shares.holds(share, counter, nodes)) {
      follow(shares.of(counter, nodes), now);
    }
  }

  /** Counts by these numbers from now on: what was consumed carries over. */
  private void follow(Share next, Moment now) {
    slot = slot.under(next, now);
    share = next;
  }

  /** Forgets what was consumed, and a block. */
  void reset(Moment now) {
    slot = share.open(now);
    blockEndTickNanos = 0;
  }

  /** Denies everything for so long, unless a block that stands ends later. */
  void block(long nanos, Moment now) {
    blockEndTickNanos = Math.max(blockEndTickNanos, now.tickNanos() + nanos);
  }

  /** Takes permits, whether or not they are left; no more than can be counted. */
  void owe(long permits, Moment now) {
    slot.owe(permits, now);
  }

  /** How long a block lasts; 0 when there is none. */
  long blockedNanos(Moment now) {
    return Math.max(0, blockEndTickNanos - now.tickNanos());
  }

  /** How many permits are left; none while it is blocked, below zero when the limit has shrunk. */
  long available(Moment now) {
    return blockedNanos(now) > 0 ? 0 : slot.available();
  }

  /** What so many permits would get, no more than the share's capacity. */
  Place place(long permits, Moment now) {
    return slot.place(permits, now).behind(blockedNanos(now));
  }

  /** How long until this is as good as new. */
  long nanosUntilFull(Moment now) {
    return Math.max(slot.nanosUntilFull(now), blockedNanos(now));
  }

  /** Whether, at this time, the counter is as good as a new one. */
  boolean isFull(Moment now) {
    slot.age(now);
    return nanosUntilFull(now) == 0;
  }

  /**
   * Forgets what was consumed, if a gap so long ends an outage for this counter: what follows is a
   * new one. A block stays.
   *
   * @return whether the counter is now as good as a new one
   */
  boolean forgetAfter(long gapNanos, Moment now) {
    if (share.forgottenAfterNanos() > gapNanos) {
      return false;
    }
    slot = share.open(now);
    return blockedNanos(now) == 0;
  }

  /**
   * When the shard looks whether this is full: a guess, never later than it is if nobody takes and
   * no clock stands.
   */
  long dueNanos() {
    return dueNanos;
  }

  /** When it was put in the queue. */
  long queuedNanos() {
    return queuedNanos;
  }

  /** Only while the entry stands in no queue. */
  void guessDue(Moment now) {
    queuedNanos = now.nanos();
    long leftNanos = nanosUntilFull(now);
    dueNanos = leftNanos > Long.MAX_VALUE - now.nanos() ? Long.MAX_VALUE : now.nanos() + leftNanos;
  }
}
