package dev.weir.local;

/** One counter in the map. Its shard's lock guards it. */
final class Entry {

  private final CounterKey key;
  private Share share;
  private Slot slot;
  private long dueNanos;

  Entry(CounterKey key, Share share, Slot slot, Moment now) {
    this.key = key;
    this.share = share;
    this.slot = slot;
    this.dueNanos = now.nanos();
  }

  CounterKey key() {
    return key;
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

  /** Counts by these numbers from now on: what was consumed carries over. */
  void follow(Share next, Moment now) {
    slot = slot.under(next, now);
    share = next;
  }

  /** Whether, at this time, the counter is as good as a new one. */
  boolean isFull(Moment now) {
    slot.age(now);
    return slot.nanosUntilFull(now) == 0;
  }

  /** Whether a gap so long ends an outage for this counter: what follows is a new one. */
  boolean isForgottenAfter(long gapNanos) {
    return share.forgottenAfterNanos() <= gapNanos;
  }

  /** When the shard looks whether this is full: a guess, never later than it is if nobody takes. */
  long dueNanos() {
    return dueNanos;
  }

  /** Only while the entry stands in no queue. */
  void guessDue(Moment now) {
    long leftNanos = slot.nanosUntilFull(now);
    dueNanos = leftNanos > Long.MAX_VALUE - now.nanos() ? Long.MAX_VALUE : now.nanos() + leftNanos;
  }
}
