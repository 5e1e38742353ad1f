package dev.weir.local;

/**
 * The arithmetic of a sliding window: how many permits were granted in each of the sub-windows that
 * count together, the one of now and k before it. Sub-windows are numbered from the clock's origin.
 *
 * <p>It knows no quota: what is granted is decided before. Times never go back.
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

  /** Lets time pass until now: what is too old no longer counts. */
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

  /** How many permits count now. */
  long sum() {
    return sum;
  }

  /** Identifies the sub-window of now. */
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

  /** Takes back what the sub-window of this stamp has granted, if it still counts. */
  void giveBack(long permits, long stamp) {
    long number = Math.floorDiv(stamp, widthNanos);
    if (number * widthNanos != stamp || number > newest || number < oldest()) {
      return;
    }
    take(-Math.min(permits, counts[at(number)]), number);
  }

  /** Takes back what was granted, whoever has it, from the oldest sub-window on. */
  void reward(long permits) {
    long left = Math.min(permits, sum);
    for (long number = oldest(); left > 0; number++) {
      long returned = Math.min(left, counts[at(number)]);
      take(-returned, number);
      left -= returned;
    }
  }

  /** How long until so many of the permits that count no longer do; at most all of them. */
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
   * Moves all permits into others, each as late as it may have been granted: none counts shorter.
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
