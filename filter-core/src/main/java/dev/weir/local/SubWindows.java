package dev.weir.local;

/**
 * The arithmetic of a sliding window: the permits acquired in each sub-window that counts, which
 * are the current one and k before it. Sub-windows are numbered from the clock's origin.
 *
 * <p>It has no quota, because callers decide before they take permits. Times never go back.
 */
final class SubWindows {

  private final long widthNanos;
  private final long[] counts;
  private long newest = Long.MIN_VALUE;
  private long sum;

  /**
   * @param subWindows k
   */
  SubWindows(long widthNanos, int subWindows) {
    this.widthNanos = widthNanos;
    this.counts = new long[subWindows + 1];
  }

  private SubWindows(SubWindows other) {
    widthNanos = other.widthNanos;
    counts = other.counts.clone();
    newest = other.newest;
    sum = other.sum;
  }

  SubWindows copy() {
    return new SubWindows(this);
  }

  /** Advances time to now. Permits that are too old no longer count. */
  void age(long nanos) {
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

  /** Returns how many permits count now. */
  long sum() {
    return sum;
  }

  /** Returns the stamp of the current sub-window. */
  long stamp() {
    return newest * widthNanos;
  }

  void take(long permits) {
    take(permits, newest);
  }

  private void take(long permits, long number) {
    counts[at(number)] += permits;
    sum += permits;
  }

  /** Refunds permits of the sub-window with this stamp, if it still counts. */
  void refund(long permits, long stamp) {
    long number = Math.floorDiv(stamp, widthNanos);
    if (number * widthNanos != stamp || number > newest || number < oldest()) {
      return;
    }
    take(-Math.min(permits, counts[at(number)]), number);
  }

  /** Returns permits of any request, from the oldest sub-window on. */
  void reward(long permits) {
    long left = Math.min(permits, sum);
    for (long number = oldest(); left > 0; number++) {
      long returned = Math.min(left, counts[at(number)]);
      take(-returned, number);
      left -= returned;
    }
  }

  /** Returns the time until so many of the counted permits expire, at most all of them. */
  long nanosUntilFreed(long permits, long nanos) {
    if (permits <= 0) {
      return 0;
    }
    long number = oldest();
    long freed = counts[at(number)];
    while (freed < permits) {
      number++;
      freed += counts[at(number)];
    }
    return (number + counts.length) * widthNanos - nanos;
  }

  /**
   * Moves all permits into others. Each is dated as late as it may have been acquired, so that none
   * expires early.
   */
  void moveInto(SubWindows others, long nanos) {
    for (long number = oldest(); number <= newest; number++) {
      if (counts[at(number)] > 0) {
        others.age(Math.min((number + 1) * widthNanos - 1, nanos));
        others.take(counts[at(number)]);
      }
    }
    others.age(nanos);
  }

  private long oldest() {
    return newest - counts.length + 1;
  }

  private int at(long number) {
    return (int) Math.floorMod(number, (long) counts.length);
  }
}
