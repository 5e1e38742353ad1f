package dev.weir.near;

import dev.weir.BucketUnits;
import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Receipt;
import dev.weir.Retry;
import dev.weir.SlidingWindow;
import dev.weir.Source;
import dev.weir.TokenBucket;
import dev.weir.Verdict;
import java.util.List;

/**
 * What was denied, and how it was said. Times are readings of one ticker.
 *
 * @param charges that were asked for
 * @param endNanos until when it is certain: reckoned from before it was asked
 * @param saidNanos when it was known, from which what was said then is reckoned
 */
record Denial(List<Charge> charges, Decision.Counted decision, long endNanos, long saidNanos) {

  private static final long NANOS_IN_MICRO = 1_000;
  private static final Receipt NOTHING = Receipt.nothing(Source.DENY_CACHE);

  /** The same request, or a larger one for one counter. */
  boolean denies(List<Charge> asked, long nowNanos) {
    if (endNanos - nowNanos <= 0) {
      return false;
    }
    if (charges.size() > 1 || asked.size() > 1) {
      return charges.equals(asked);
    }
    return isOfSameCounter(asked.get(0)) && isAsLarge(asked.get(0));
  }

  /** Whether the same are denied by it, and not for longer. */
  boolean standsFor(Denial other) {
    return endNanos - other.endNanos <= 0 && denies(other.charges, other.saidNanos);
  }

  private boolean isOfSameCounter(Charge asked) {
    return asked.counter().equals(charges.get(0).counter());
  }

  private boolean isAsLarge(Charge asked) {
    long permits = charges.get(0).permits();
    return asked.permits() == permits || (asked.permits() > permits && isKnown(asked));
  }

  /**
   * Whether it can be told here when a larger request fits: not of a sliding window, whose
   * sub-windows are not known, nor of a fixed one that ends later than what denies.
   */
  private boolean isKnown(Charge asked) {
    Limit limit = asked.counter().limit();
    boolean waitsForAll = retryNanos(decision.binding()) == decision.binding().resetAfterNanos();
    return !(limit instanceof SlidingWindow) && (!(limit instanceof FixedWindow) || waitsForAll);
  }

  /** What it is now. */
  Decision.Counted decision(List<Charge> asked, long nowNanos) {
    long passedNanos = nowNanos - saidNanos;
    List<Verdict> verdicts =
        asked.size() == 1
            ? List.of(verdict(decision.binding(), due(asked.get(0)), passedNanos))
            : decision.verdicts().stream()
                .map(one -> verdict(one, retryNanos(one), passedNanos))
                .toList();
    return Decision.counted(Source.DENY_CACHE, verdicts, NOTHING);
  }

  private static Verdict verdict(Verdict said, long dueNanos, long passedNanos) {
    long resetNanos = Math.max(0, said.resetAfterNanos() - passedNanos);
    Retry retry =
        said.retry() instanceof Retry.After
            ? new Retry.After(Math.max(1, dueNanos - passedNanos))
            : said.retry();
    return new Verdict(said.counter(), said.remaining(), retry, resetNanos);
  }

  private static long retryNanos(Verdict verdict) {
    return verdict.retry() instanceof Retry.After after ? after.nanos() : 0;
  }

  /**
   * When so many are due, which are no fewer than were denied. A token bucket that is full then has
   * them as long before as the rest of it takes to come in; a fixed window gives all at its end,
   * and a leaky bucket when it is empty.
   */
  private long due(Charge asked) {
    long retryNanos = retryNanos(decision.binding());
    if (asked.permits() > charges.get(0).permits()
        && asked.counter().limit() instanceof TokenBucket bucket) {
      long rest = nanos(bucket.units(), bucket.burst() - asked.permits());
      return Math.max(retryNanos, decision.binding().resetAfterNanos() - rest);
    }
    return retryNanos;
  }

  /** What the rate takes to pay for so many, to the tick below. */
  private static long nanos(BucketUnits units, long permits) {
    long ticks = permits * units.q() / units.p();
    return ticks * units.tickMicros() * NANOS_IN_MICRO;
  }
}
