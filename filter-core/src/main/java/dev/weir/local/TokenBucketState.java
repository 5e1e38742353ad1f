package dev.weir.local;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.BucketState;
import io.github.bucket4j.MathType;
import java.math.BigInteger;
import java.time.Duration;

/**
 * A token bucket, counted by Bucket4j.
 *
 * <p>It uses Bucket4j's state and not its bucket, for two reasons. First, a request over several
 * limits checks all of them before it charges any, at one time and under this store's locks.
 * Second, Bucket4j is exact only while refill times elapsed fits a long, and it rounds waiting
 * times down. Here it advances in strides that it counts exactly, and waits are rounded up, so that
 * they suffice.
 */
final class TokenBucketState extends CounterState {

  private final Refill refill;
  private final BucketState bucket;
  private long agedToNanos;

  /** When the last waiting request runs. It is in the past when none waits. */
  private long lastRunNanos;

  /** The permits taken to hold new requests back, and until when. Both change with the rate. */
  private long heldBack;

  private long heldBackUntilNanos;

  private TokenBucketState(NodeLimit share, Refill refill, BucketState bucket) {
    super(share);
    this.refill = refill;
    this.bucket = bucket;
  }

  static TokenBucketState of(TokenBucket limit, int nodes) {
    NodeLimit share = NodeLimit.of(limit, nodes, ceilDiv(limit.burst(), nodes));
    return of(share, limit.rate());
  }

  /** Returns the full bucket of a share of a limit with this rate. */
  static TokenBucketState of(NodeLimit share, Rate rate) {
    BucketUnits units =
        BucketUnits.of(rate.permits(), rate.periodMicros(), share.limit().capacity());
    return open(share, Refill.of(share, units));
  }

  private static TokenBucketState open(NodeLimit share, Refill refill) {
    BucketState full =
        BucketState.createInitialState(refill.configuration, MathType.INTEGER_64_BITS, 0);
    return new TokenBucketState(share, refill, full);
  }

  @Override
  TokenBucketState unused() {
    return open(share(), refill);
  }

  @Override
  TokenBucketState copy() {
    TokenBucketState copy = new TokenBucketState(share(), refill, bucket.copy());
    copy.agedToNanos = agedToNanos;
    copy.age(nanos(), tickNanos());
    copy.lastRunNanos = lastRunNanos;
    copy.heldBack = heldBack;
    copy.heldBackUntilNanos = heldBackUntilNanos;
    return copy;
  }

  /** Carries whole permits over. Waiting requests keep their times in another token bucket. */
  @Override
  void carryOver(CounterState next) {
    long consumed = capacity() - available() - (isAhead(heldBackUntilNanos) ? heldBack : 0);
    if (consumed > 0) {
      next.inherit(consumed, Math.max(0, consumed - capacity()));
    }
    if (next instanceof TokenBucketState other) {
      other.lastRunNanos = lastRunNanos;
      other.holdBack(0, lastRunNanos);
    }
  }

  @Override
  void age() {
    while (agedToNanos < nanos()) {
      long leftNanos = nanos() - agedToNanos;
      agedToNanos += isFull() ? leftNanos : Math.min(leftNanos, refill.strideNanos);
      bucket.refillAllBandwidth(agedToNanos);
    }
  }

  boolean isFull() {
    return available() >= capacity();
  }

  @Override
  long available() {
    return bucket.getAvailableTokens();
  }

  /**
   * A request that can wait takes permits before they are available. The debt must stay countable:
   * below 2^53 permits plus one burst. When they are available is {@link #delayNanos}.
   */
  @Override
  long nanosUntilFits(long permits) {
    return nanosUntil(permits - BucketUnits.EXACT);
  }

  @Override
  long delayNanos(long permits) {
    return nanosUntil(permits);
  }

  @Override
  long nanosUntilPaid() {
    return nanosUntil(0);
  }

  @Override
  long nanosUntilFull() {
    return nanosUntil(capacity());
  }

  /** Returns the time until so many permits are left. */
  long nanosUntil(long permits) {
    long missing = permits - available();
    if (missing <= 0) {
      return 0;
    }
    // Bucket4j keeps the refilled fraction of a permit as a share of the period
    long periodNanos = refill.nanos;
    long present = bucket.getRoundingError(0);
    long product = missing * periodNanos;
    boolean isExact = Math.multiplyHigh(missing, periodNanos) == 0 && product >= 0;
    return isExact
        ? ceilDiv(product - present, refill.permits)
        : ceilDiv(
            BigInteger.valueOf(missing)
                .multiply(BigInteger.valueOf(periodNanos))
                .subtract(BigInteger.valueOf(present)),
            refill.permits);
  }

  static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }

  private static long ceilDiv(BigInteger dividend, long divisor) {
    BigInteger[] quotient = dividend.divideAndRemainder(BigInteger.valueOf(divisor));
    return quotient[0]
        .add(BigInteger.valueOf(quotient[1].signum()))
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  @Override
  void take(long permits) {
    bucket.consume(permits);
  }

  @Override
  long acquire(long permits, long delayNanos, CounterKey key) {
    take(permits);
    long runNanos = after(delayNanos);
    if (isAhead(runNanos)) {
      lastRunNanos = runNanos;
    }
    return runNanos;
  }

  /** Returns when so many permits will be left. */
  long runNanos(long permits) {
    return after(nanosUntil(permits));
  }

  /** Returns when a request runs that waits so long. */
  long after(long delayNanos) {
    return delayNanos > Long.MAX_VALUE - agedToNanos ? Long.MAX_VALUE : agedToNanos + delayNanos;
  }

  boolean isAhead(long nanos) {
    return nanos > agedToNanos;
  }

  /**
   * Refunds permits without changing when waiting requests run. While any wait, only the last one
   * can be refunded. While extra permits are held back, none can, because the requests before the
   * last are then unknown. A dear request leaves a debt when it runs, and any other an empty
   * bucket.
   */
  @Override
  void refund(long permits, long stamp, long granted) {
    if (!isAhead(lastRunNanos) && !isAhead(stamp)) {
      put(Math.min(permits, unpaid(granted, agedToNanos - stamp)));
    } else if (isCancelled(stamp, Math.min(0, capacity() - granted))) {
      put(permits);
      lastRunNanos = runNanos(0);
    }
  }

  /**
   * Returns whether the stamp is that of the last waiting request, which runs when so many are
   * left.
   */
  boolean isCancelled(long stamp, long permits) {
    return isAhead(stamp) && !isAhead(heldBackUntilNanos) && stamp == runNanos(permits);
  }

  /**
   * Returns how many of the acquired permits have not been refilled since. Refilled permits are not
   * refunded, because other requests may have taken them.
   */
  private long unpaid(long granted, long elapsedNanos) {
    BigInteger period = BigInteger.valueOf(refill.nanos);
    BigInteger repaid =
        BigInteger.valueOf(elapsedNanos).multiply(BigInteger.valueOf(refill.permits));
    return BigInteger.valueOf(granted)
        .multiply(period)
        .subtract(repaid)
        .add(BigInteger.valueOf(bucket.getRoundingError(0)))
        .max(BigInteger.ZERO)
        .divide(period)
        .longValueExact();
  }

  @Override
  void reward(long permits) {
    put(permits);
    holdBack(0, lastRunNanos);
  }

  /** Returns permits to the bucket, no more than are missing. */
  void put(long permits) {
    bucket.addTokens(Math.min(permits, capacity() - available()));
  }

  /**
   * Takes extra permits, so that so many permits are not available before this time. Waiting
   * requests keep their times, even if the rate has increased or permits were refunded. New
   * requests run after them.
   */
  void holdBack(long permits, long untilNanos) {
    if (!isAhead(untilNanos)) {
      return;
    }
    long missing =
        BigInteger.valueOf(untilNanos - agedToNanos - 1)
            .multiply(BigInteger.valueOf(refill.permits))
            .add(BigInteger.valueOf(bucket.getRoundingError(0)))
            .divide(BigInteger.valueOf(refill.nanos))
            .add(BigInteger.ONE)
            .min(BigInteger.valueOf(BucketUnits.EXACT))
            .longValueExact();
    long more = missing - (permits - available());
    if (more > 0) {
      bucket.consume(more);
      heldBack = isAhead(heldBackUntilNanos) ? heldBack + more : more;
      heldBackUntilNanos = untilNanos;
    }
  }

  /**
   * The rate of one node's share, in Bucket4j's terms. The rate r/N is expressed by a period that
   * is N times as long, in lowest terms. All counters of the share have the same object.
   *
   * @param strideNanos the longest time with a refill that Bucket4j counts exactly at once
   */
  private record Refill(
      long permits, long nanos, long strideNanos, BucketConfiguration configuration) {

    private static final BigInteger LONGEST_PERIOD_NANOS = BigInteger.ONE.shiftLeft(62);

    static Refill of(NodeLimit share, BucketUnits units) {
      BigInteger permits = BigInteger.valueOf(units.p());
      BigInteger nanos =
          BigInteger.valueOf(units.q())
              .multiply(BigInteger.valueOf(units.tickMicros() * 1_000))
              .multiply(BigInteger.valueOf(share.nodes()));
      BigInteger common = permits.gcd(nanos);
      return of(share.permits(), permits.divide(common), nanos.divide(common));
    }

    /**
     * Returns the refill of a bucket with this burst. A period of more than 146 years does not fit
     * a long, so it is shortened together with its permits.
     */
    private static Refill of(long burst, BigInteger permits, BigInteger nanos) {
      BigInteger period = nanos.min(LONGEST_PERIOD_NANOS);
      long refillPermits =
          permits.multiply(period).divide(nanos).max(BigInteger.ONE).longValueExact();
      long periodNanos = period.longValueExact();
      Bandwidth bandwidth =
          Bandwidth.builder()
              .capacity(burst)
              .refillGreedy(refillPermits, Duration.ofNanos(periodNanos))
              .build();
      return new Refill(
          refillPermits,
          periodNanos,
          (Long.MAX_VALUE - periodNanos) / refillPermits,
          BucketConfiguration.builder().addLimit(bandwidth).build());
    }
  }
}
