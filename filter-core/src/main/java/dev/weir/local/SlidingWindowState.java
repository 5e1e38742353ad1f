package dev.weir.local;

import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.limit.SlidingWindow;
import dev.weir.local.NodeLimits.NodeLimit;
import dev.weir.local.Shards.Now;

/**
 * A sliding window: the same sub-windows on each node, with a smaller quota. It counts the permits
 * acquired in each sub-window that counts, which are the current one and k before it. Sub-windows
 * are numbered from the clock's origin.
 *
 * <p>Times never go back, except in a window without permits.
 */
final class SlidingWindowState extends CounterState {

  private final long widthNanos;
  private final long[] counts;

  /** The number of the current sub-window. */
  private long newest;

  private long sum;

  private SlidingWindowState(NodeLimit nodeLimit, long widthNanos, int subWindows, Now now) {
    super(nodeLimit);
    this.widthNanos = widthNanos;
    this.counts = new long[subWindows + 1];
    age(now);
  }

  static SlidingWindowState of(SlidingWindow limit, int nodes, long dearest, Now now) {
    return new SlidingWindowState(
        NodeLimits.share(limit, nodes, dearest, limit.quota() / nodes),
        limit.subWindow().toNanos(),
        limit.subWindows(),
        now);
  }

  @Override
  SlidingWindowState unused(Now now) {
    return new SlidingWindowState(nodeLimit(), widthNanos, counts.length - 1, now);
  }

  @Override
  void carryOver(CounterState next, Now now) {
    if (next instanceof SlidingWindowState other) {
      carryOverAges(other, now.nanos());
    } else if (sum > 0) {
      next.take(sum, now);
    }
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
  }

  @Override
  void age(Now now) {
    age(now.nanos());
  }

  /** Advances time. Permits that are too old no longer count. */
  private void age(long nanos) {
    long number = Math.floorDiv(nanos, widthNanos);
    if (sum == 0) {
      newest = number;
      return;
    }
    for (int i = 0; i < counts.length && newest < number; i++) {
      newest++;
      sum -= counts[at(newest)];
      counts[at(newest)] = 0;
    }
    newest = number;
  }

  @Override
  long available() {
    return capacity() - sum;
  }

  @Override
  long nanosUntilFits(long permits, Now now) {
    return nanosUntilFreed(permits - available(), now.nanos());
  }

  @Override
  long nanosUntilFull(Now now) {
    return nanosUntilFreed(sum, now.nanos());
  }

  /** Returns the time until so many of the counted permits expire, at most all of them. */
  private long nanosUntilFreed(long permits, long nowNanos) {
    if (permits <= 0) {
      return 0;
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
  void take(long permits, Now now) {
    add(permits, newest);
  }

  /** Returns the start of the current sub-window. */
  @Override
  long acquire(long permits, CounterKey key, Now now) {
    take(permits, now);
    return newest * widthNanos;
  }

  /** Refunds permits of the sub-window with this stamp, if it still counts. */
  @Override
  void refund(long permits, long stamp, long granted) {
    long number = Math.floorDiv(stamp, widthNanos);
    if (number * widthNanos != stamp || number > newest || number < oldest()) {
      return;
    }
    add(-Math.min(permits, counts[at(number)]), number);
  }

  @Override
  void reward(long permits) {
    long left = Math.min(permits, sum);
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
