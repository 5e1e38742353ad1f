package dev.weir.near;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.util.List;
import java.util.OptionalLong;

/**
 * A denied request and its verdicts. Times are readings of one ticker. It holds no counter, since a
 * client may choose a subject of any length. Each decision names the counters of its own request.
 *
 * @param charges of the denied request
 * @param said one for each verdict, in order
 * @param endNanos until when the denial is certain, measured from before the call to the store
 * @param replyNanos when the verdicts arrived, from which their times are measured
 */
record Denial(List<KeyedCharge> charges, List<Said> said, long endNanos, long replyNanos) {

  private static final long NANOS_IN_MICRO = 1_000;
  private static final Receipt NOTHING = Receipt.nothing(Source.DENY_CACHE);

  /** A charge that may be kept. For a long subject it holds only the digest. */
  record KeyedCharge(CounterKey key, Limit limit, long permits) {

    /** Returns whether that is a charge of the same counter, with the same numbers. */
    boolean isOfSameCounter(Charge charge, CounterKey chargedKey) {
      return key.equals(chargedKey) && limit.equals(charge.counter().limit());
    }
  }

  /**
   * A verdict without its counter.
   *
   * @param charge the index of its charge
   */
  record Said(int charge, long remaining, Retry retry, long resetAfterNanos) {

    private Said(int charge, Verdict verdict) {
      this(charge, verdict.remaining(), verdict.retry(), verdict.resetAfterNanos());
    }
  }

  /**
   * @param requested the charges of the request that was denied
   * @param keys of their counters
   */
  static Denial of(
      List<Charge> requested,
      CounterKey[] keys,
      Decision.Counted denied,
      long endNanos,
      long replyNanos) {
    KeyedCharge[] charges = new KeyedCharge[keys.length];
    for (int i = 0; i < charges.length; i++) {
      Charge charge = requested.get(i);
      charges[i] = new KeyedCharge(keys[i], charge.counter().limit(), charge.permits());
    }
    List<Counter> counters = requested.stream().map(Charge::counter).toList();
    List<Said> said =
        denied.verdicts().stream()
            .map(one -> new Said(counters.indexOf(one.counter()), one))
            .toList();
    return new Denial(List.of(charges), said, endNanos, replyNanos);
  }

  /**
   * Returns whether this denies the request, which is the same, or a larger one for one counter.
   *
   * @param keys of the requested counters
   */
  boolean denies(List<Charge> requested, CounterKey[] keys, long nowNanos) {
    if (endNanos - nowNanos <= 0 || charges.size() != keys.length) {
      return false;
    }
    for (int i = 0; i < keys.length; i++) {
      if (!charges.get(i).isOfSameCounter(requested.get(i), keys[i]) || !isAsLarge(requested, i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether this also denies the newly denied request, and ends no later than that denial.
   */
  boolean standsFor(List<Charge> requested, CounterKey[] keys, long otherEndNanos, long nowNanos) {
    return endNanos - otherEndNanos <= 0 && denies(requested, keys, nowNanos);
  }

  /**
   * Returns whether the charge is large enough. Of several counters, only the very same request is
   * certain to be denied.
   */
  private boolean isAsLarge(List<Charge> requested, int i) {
    long permits = charges.get(i).permits();
    return requested.get(i).permits() == permits
        || (charges.size() == 1
            && requested.get(i).permits() > permits
            && dueOfMore(requested.get(i)).isPresent());
  }

  /**
   * Returns the time until more permits are due than were denied, if it is known here. A token
   * bucket has them before it is full, by the time that the rest takes to refill. A leaky bucket
   * grants all when it is empty, and a fixed window at its end. It is not known for a window that
   * ends later than the denial. Nor is it known for a sliding window, because its sub-windows are
   * not known.
   */
  private OptionalLong dueOfMore(Charge requested) {
    Limit limit = requested.counter().limit();
    long retryNanos = retryNanos(said.get(0));
    long resetNanos = said.get(0).resetAfterNanos();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> {
        long restNanos = restNanos((TokenBucket) limit, requested.permits());
        yield OptionalLong.of(Math.max(retryNanos, resetNanos - restNanos));
      }
      case LEAKY_BUCKET -> OptionalLong.of(retryNanos);
      case FIXED_WINDOW ->
          retryNanos == resetNanos ? OptionalLong.of(retryNanos) : OptionalLong.empty();
      case SLIDING_WINDOW, CONCURRENCY -> OptionalLong.empty();
    };
  }

  /**
   * Returns the time in which the bucket refills what it has beyond so many permits, rounded down
   * to a tick.
   */
  private static long restNanos(TokenBucket bucket, long permits) {
    BucketUnits units =
        BucketUnits.of(bucket.rate().permits(), bucket.rate().periodMicros(), bucket.burst());
    long ticks = (bucket.burst() - permits) * units.q() / units.p();
    return ticks * units.tickMicros() * NANOS_IN_MICRO;
  }

  /**
   * Returns the decision as of now.
   *
   * @param requested a request that this denies
   */
  Decision.Counted decision(List<Charge> requested, long nowNanos) {
    long passedNanos = nowNanos - replyNanos;
    List<Verdict> verdicts =
        requested.size() == 1
            ? List.of(verdict(said.get(0), requested, due(requested.get(0)), passedNanos))
            : said.stream()
                .map(one -> verdict(one, requested, retryNanos(one), passedNanos))
                .toList();
    return Decision.counted(Source.DENY_CACHE, verdicts, NOTHING);
  }

  private static Verdict verdict(
      Said said, List<Charge> requested, long dueNanos, long passedNanos) {
    long resetNanos = Math.max(0, said.resetAfterNanos() - passedNanos);
    Retry retry =
        said.retry() instanceof Retry.After
            ? new Retry.After(Math.max(1, dueNanos - passedNanos))
            : said.retry();
    Counter counter = requested.get(said.charge()).counter();
    return new Verdict(counter, said.remaining(), retry, resetNanos);
  }

  private static long retryNanos(Said said) {
    return said.retry() instanceof Retry.After after ? after.nanos() : 0;
  }

  /** Returns the time until a request for one counter fits that this denies. */
  private long due(Charge requested) {
    return requested.permits() > charges.get(0).permits()
        ? dueOfMore(requested).orElseThrow()
        : retryNanos(said.get(0));
  }
}
