package dev.weir.near;

import dev.weir.BucketUnits;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Receipt;
import dev.weir.Retry;
import dev.weir.SlidingWindow;
import dev.weir.Source;
import dev.weir.TokenBucket;
import dev.weir.Verdict;
import dev.weir.internal.CounterKey;
import java.util.List;

/**
 * What was denied, and how it was said. Times are readings of one ticker. It holds no counter,
 * since a client may choose a subject of any length: each answer names the counters of its own
 * request.
 *
 * @param charges that were asked for
 * @param said one for each verdict, in order
 * @param endNanos until when it is certain: reckoned from before it was asked
 * @param saidNanos when it was known, from which what was said then is reckoned
 */
record Denial(List<KeyedCharge> charges, List<Said> said, long endNanos, long saidNanos) {

  private static final long NANOS_IN_MICRO = 1_000;
  private static final Receipt NOTHING = Receipt.nothing(Source.DENY_CACHE);

  /**
   * A verdict without its counter.
   *
   * @param charge the place of the charge that it is about
   */
  record Said(int charge, long remaining, Retry retry, long resetAfterNanos) {}

  /**
   * @param asked the charges of the request that was denied
   * @param keys of their counters
   */
  static Denial of(
      List<Charge> asked,
      CounterKey[] keys,
      Decision.Counted denied,
      long endNanos,
      long saidNanos) {
    KeyedCharge[] charges = new KeyedCharge[keys.length];
    for (int i = 0; i < charges.length; i++) {
      charges[i] = KeyedCharge.of(asked.get(i), keys[i]);
    }
    List<Counter> counters = asked.stream().map(Charge::counter).toList();
    List<Said> said =
        denied.verdicts().stream()
            .map(
                one ->
                    new Said(
                        counters.indexOf(one.counter()),
                        one.remaining(),
                        one.retry(),
                        one.resetAfterNanos()))
            .toList();
    return new Denial(List.of(charges), said, endNanos, saidNanos);
  }

  /**
   * The same request, or a larger one for one counter.
   *
   * @param keys of the counters that are asked for
   */
  boolean denies(List<Charge> asked, CounterKey[] keys, long nowNanos) {
    if (endNanos - nowNanos <= 0 || charges.size() != keys.length) {
      return false;
    }
    for (int i = 0; i < keys.length; i++) {
      if (!charges.get(i).isOfSameCounter(asked.get(i), keys[i]) || !isAsLarge(asked, i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it denies what was denied anew, and not for longer. */
  boolean standsFor(List<Charge> asked, CounterKey[] keys, long otherEndNanos, long nowNanos) {
    return endNanos - otherEndNanos <= 0 && denies(asked, keys, nowNanos);
  }

  /** Of several counters only the very same request is certain to be denied. */
  private boolean isAsLarge(List<Charge> asked, int i) {
    long permits = charges.get(i).permits();
    return asked.get(i).permits() == permits
        || (charges.size() == 1
            && asked.get(i).permits() > permits
            && isKnownOfLarger(charges.get(i).limit()));
  }

  /**
   * Whether it can be told here when a larger request fits: not of a sliding window, whose
   * sub-windows are not known, nor of a fixed one that ends later than what denies.
   */
  private boolean isKnownOfLarger(Limit limit) {
    boolean waitsForAll = retryNanos(said.get(0)) == said.get(0).resetAfterNanos();
    return !(limit instanceof SlidingWindow) && (!(limit instanceof FixedWindow) || waitsForAll);
  }

  /**
   * What it is now.
   *
   * @param asked a request that it denies
   */
  Decision.Counted decision(List<Charge> asked, long nowNanos) {
    long passedNanos = nowNanos - saidNanos;
    List<Verdict> verdicts =
        asked.size() == 1
            ? List.of(verdict(said.get(0), asked, due(asked.get(0)), passedNanos))
            : said.stream().map(one -> verdict(one, asked, retryNanos(one), passedNanos)).toList();
    return Decision.counted(Source.DENY_CACHE, verdicts, NOTHING);
  }

  private static Verdict verdict(Said said, List<Charge> asked, long dueNanos, long passedNanos) {
    long resetNanos = Math.max(0, said.resetAfterNanos() - passedNanos);
    Retry retry =
        said.retry() instanceof Retry.After
            ? new Retry.After(Math.max(1, dueNanos - passedNanos))
            : said.retry();
    Counter counter = asked.get(said.charge()).counter();
    return new Verdict(counter, said.remaining(), retry, resetNanos);
  }

  private static long retryNanos(Said said) {
    return said.retry() instanceof Retry.After after ? after.nanos() : 0;
  }

  /**
   * When so many are due, which are no fewer than were denied. A token bucket that is full then has
   * them as long before as the rest of it takes to come in; a fixed window gives all at its end,
   * and a leaky bucket when it is empty.
   */
  private long due(Charge asked) {
    long retryNanos = retryNanos(said.get(0));
    if (asked.permits() > charges.get(0).permits()
        && asked.counter().limit() instanceof TokenBucket bucket) {
      long rest = nanos(bucket.units(), bucket.burst() - asked.permits());
      return Math.max(retryNanos, said.get(0).resetAfterNanos() - rest);
    }
    return retryNanos;
  }

  /** What the rate takes to pay for so many, to the tick below. */
  private static long nanos(BucketUnits units, long permits) {
    long ticks = permits * units.q() / units.p();
    return ticks * units.tickMicros() * NANOS_IN_MICRO;
  }
}
