package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.SlidingWindow;

/**
 * A sliding window: the same sub-windows on each node, with a smaller quota. It counts the permits
 * acquired in each sub-window that counts, which are the current one and k before it. Sub-windows
 * are numbered from the clock's origin.
 *
 * <p>A debt is charged as earlier permits expire, to the sub-window in which they do. So while any
 * is owed, the share is used up. After each length of the window the same sub-windows count a share
 * of the debt as before, so whole lengths are skipped at once.
 *
 * <p>Times never go back, except in a window without permits.
 */
final class SlidingWindowState extends CounterState {

  private final long widthNanos;
  private final long[] counts;

  /** The number of the current sub-window. */
  private long newest;

  private long sum;

  /** What is still to be charged. It is zero unless the sub-windows count a whole share. */
  private long owed;

  /** The sub-window of the last permits that were taken, other than those of a debt. */
  private long lastTaken;

  /** The sub-window of the last request that has left a debt. */
  private long debtor = Long.MIN_VALUE;

  private SlidingWindowState(NodeLimit share, long widthNanos, int subWindows) {
    super(share);
    this.widthNanos = widthNanos;
    this.counts = new long[subWindows + 1];
  }

  static SlidingWindowState of(SlidingWindow limit, int nodes) {
    return new SlidingWindowState(
        NodeLimit.of(limit, nodes, limit.quota() / nodes),
        limit.subWindow().toNanos(),
        limit.subWindows());
  }

  @Override
  SlidingWindowState unused() {
    return new SlidingWindowState(share(), widthNanos, counts.length - 1);
  }

  @Override
  void carryOver(CounterState next) {
    if (next instanceof SlidingWindowState other) {
      carryOverAges(other, nanos());
    } else if (sum > 0) {
      next.inherit(sum + owed, owed);
    }
  }

  @Override
  void inherit(long taken, long debt) {
    take(taken - debt);
    owe(debt);
  }

  /** Owes no more than the limit's numbers let one request owe. */
  private void owe(long debt) {
    owed = Math.min(debt, share().limit().capacity());
    payDebt();
  }

  /**
   * Keeps the age of permits, as precisely as the other sub-windows allow. Each permit is dated as
   * late as it may have been acquired, so that none expires early.
   */
  private void carryOverAges(SlidingWindowState other, long nowNanos) {
    for (long number = oldest(); number <= newest; number++) {
      if (counts[at(number)] > 0) {
        other.age(Math.min((number + 1) * widthNanos - 1, nowNanos));
        other.add(counts[at(number)], other.newest);
      }
    }
    other.age(nowNanos);
    other.owe(owed);
    long takenNanos = Math.min((lastTaken + 1) * widthNanos - 1, nowNanos);
    other.lastTaken = Math.floorDiv(takenNanos, other.widthNanos);
    other.debtor = other.widthNanos == widthNanos ? debtor : Long.MIN_VALUE;
  }

  @Override
  void age() {
    age(nanos());
  }

  /** Advances time. Permits that are too old no longer count. */
  private void age(long nanos) {
    long number = Math.floorDiv(nanos, widthNanos);
    while (newest < number && sum > 0) {
      skipLengths(number);
      newest++;
      sum -= counts[at(newest)];
      counts[at(newest)] = 0;
      payDebt();
    }
    newest = number;
  }

  /** Pays a whole share of the debt for each length. The same sub-windows then count as before. */
  private void skipLengths(long number) {
    long lengths = Math.min(owed / capacity(), (number - newest - 1) / counts.length);
    if (lengths > 0 && sum == capacity()) {
      owed -= lengths * capacity();
      newest += lengths * counts.length;
    }
  }

  private void payDebt() {
    long paid = Math.min(owed, capacity() - sum);
    if (paid > 0) {
      owed -= paid;
      add(paid, newest);
    }
  }

  @Override
  long available() {
    return capacity() - sum - owed;
  }

  @Override
  long nanosUntilFits(long permits) {
    return nanosUntilFreed(permits - available(), nanos());
  }

  /** The share is free when only a debt counts, and leaves some of it. */
  @Override
  long nanosUntilFree() {
    long expiryNanos = (lastTaken + counts.length) * widthNanos - nanos();
    return Math.min(nanosUntilFull(), Math.max(nanosUntilFits(1), expiryNanos));
  }

  @Override
  long nanosUntilFull() {
    return nanosUntilFreed(sum + owed, nanos());
  }

  /**
   * Returns the time until so many permits expire, at most all that count and are owed. A permit
   * that is owed counts from when the permit a whole share before it has expired.
   */
  private long nanosUntilFreed(long permits, long nowNanos) {
    if (permits <= 0) {
      return 0;
    }
    if (permits > sum) {
      long shares = TokenBucketState.ceilDiv(permits - sum, capacity());
      long nanos = nanosUntilFreed(permits - shares * capacity(), nowNanos);
      return plus(nanos, shares, counts.length * widthNanos);
    }
    long number = oldest();
    long freed = counts[at(number)];
    while (freed < permits) {
      number++;
      freed += counts[at(number)];
    }
    return (number + counts.length) * widthNanos - nowNanos;
  }

  @Override
  void take(long permits) {
    add(permits, newest);
    lastTaken = newest;
  }

  /** Returns the start of the current sub-window. */
  @Override
  long acquire(long permits, long delayNanos, CounterKey key) {
    long beyond = Math.max(0, permits - (capacity() - sum));
    take(permits - beyond);
    if (beyond > 0) {
      owed += beyond;
      debtor = newest;
    }
    return newest * widthNanos;
  }

  /** Refunds permits of the sub-window with this stamp, if it still counts, or what is owed. */
  @Override
  void refund(long permits, long stamp, long granted) {
    long number = Math.floorDiv(stamp, widthNanos);
    if (number * widthNanos != stamp || number > newest) {
      return;
    }
    long left = number == debtor ? permits - forgive(permits) : permits;
    if (number >= oldest()) {
      add(-Math.min(left, counts[at(number)]), number);
      payDebt();
    }
  }

  /** Returns how many permits are no longer owed, of so many. */
  private long forgive(long permits) {
    long forgiven = Math.min(permits, owed);
    owed -= forgiven;
    return forgiven;
  }

  @Override
  void reward(long permits) {
    long left = Math.min(permits - forgive(permits), sum);
    for (long number = oldest(); left > 0; number++) {
      long returned = Math.min(left, counts[at(number)]);
      add(-returned, number);
      left -= returned;
    }
  }

  private void add(long permits, long number) {
    counts[at(number)] += permits;
    sum += permits;
  }

  private long oldest() {
    return newest - counts.length + 1;
  }

  private int at(long number) {
    return (int) Math.floorMod(number, (long) counts.length);
  }
}
