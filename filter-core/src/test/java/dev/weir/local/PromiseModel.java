package dev.weir.local;

/**
 * The promise of requests that cost more than the share: the first that is denied sets the time at
 * which one of them passes as soon as nothing is owed.
 */
final class PromiseModel {

  private static final long SHORTEST = 5_000_000_000L;
  private static final long LONGEST = Long.MAX_VALUE / 4;

  private long start;
  private long end = Long.MIN_VALUE;

  boolean isSet(long now) {
    return now <= end;
  }

  /** Returns how long a request waits that would wait so long without a promise. */
  long wait(long waitWithout, long untilPaid, long now) {
    return isSet(now) ? Math.min(waitWithout, until(untilPaid, now)) : waitWithout;
  }

  long until(long untilPaid, long now) {
    return Math.max(0, Math.max(start - now, untilPaid));
  }

  void denied(long wait, long timeToFull, long now) {
    if (!isSet(now)) {
      start = now + Math.min(wait, LONGEST);
      end = start + Math.max(SHORTEST, Math.min(timeToFull, LONGEST));
    }
  }

  void passed() {
    end = Long.MIN_VALUE;
  }
}
