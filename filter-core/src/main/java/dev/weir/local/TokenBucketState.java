package dev.weir.local;

import dev.weir.limit.BucketUnits;
import io.github.bucket4j.BucketState;
import java.math.BigInteger;

/**
 * A token bucket, counted by Bucket4j.
 *
 * <p>It uses Bucket4j's state and not its bucket, for two reasons. First, a request over several
 * limits checks all of them before it charges any, at one time and under this store's locks.
 * Second, Bucket4j is exact only while refill times elapsed fits a long, and it rounds waiting
 * times down. Here it advances in strides that it counts exactly, and waits are rounded up, so that
 * they suffice.
 */
final class TokenBucketState implements CounterState {

  private final BucketNodeLimit nodeLimit;
  private final BucketState bucket;
  private long agedToNanos;

  /** When the last waiting request runs. It is in the past when none waits. */
  private long lastRunNanos;

  /** The permits taken to hold new requests back, and until when. Both change with the rate. */
  private long heldBack;

  private long heldBackUntilNanos;

  TokenBucketState(BucketNodeLimit nodeLimit, BucketState bucket, long nowNanos) {
    this.nodeLimit = nodeLimit;
    this.bucket = bucket;
    this.agedToNanos = nowNanos;
    this.lastRunNanos = nowNanos;
    this.heldBackUntilNanos = nowNanos;
  }

  @Override
  public void age(Now now) {
    while (agedToNanos < now.nanos()) {
      long leftNanos = now.nanos() - agedToNanos;
      agedToNanos += isFull() ? leftNanos : Math.min(leftNanos, nodeLimit.strideNanos());
      bucket.refillAllBandwidth(agedToNanos);
    }
  }

  boolean isFull() {
    return available() >= nodeLimit.capacity();
  }

  @Override
  public long available() {
    return bucket.getAvailableTokens();
  }

  /**
   * Returns the position. A request that can wait takes permits before they are available. The debt
   * must stay countable: below 2^53 permits plus one burst.
   */
  @Override
  public QueuePosition position(long permits, Now now) {
    return new QueuePosition(nanosUntil(permits), nanosUntil(permits - BucketUnits.EXACT));
  }

  /** Returns the time until so many permits are left. */
  long nanosUntil(long permits) {
    long missing = permits - available();
    if (missing <= 0) {
      return 0;
    }
    // Bucket4j keeps the refilled fraction of a permit as a share of the period
    long periodNanos = nodeLimit.refillNanos();
    long present = bucket.getRoundingError(0);
    long product = missing * periodNanos;
    boolean isExact = Math.multiplyHigh(missing, periodNanos) == 0 && product >= 0;
    return isExact
        ? ceilDiv(product - present, nodeLimit.refillPermits())
        : ceilDiv(
            BigInteger.valueOf(missing)
                .multiply(BigInteger.valueOf(periodNanos))
                .subtract(BigInteger.valueOf(present)),
            nodeLimit.refillPermits());
  }

  private static long ceilDiv(long dividend, long divisor) {
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
  public long nanosUntilFull(Now now) {
    return nanosUntil(capacity());
  }

  @Override
  public void take(long permits, Now now) {
    bucket.consume(permits);
  }

  @Override
  public long acquire(long permits, Now now) {
    take(permits, now);
    if (available() >= 0) {
      return agedToNanos;
    }
    lastRunNanos = runNanos(0);
    return lastRunNanos;
  }

  long capacity() {
    return nodeLimit.capacity();
  }

  /** Returns when so many permits will be left. */
  long runNanos(long permits) {
    long nanos = nanosUntil(permits);
    return nanos > Long.MAX_VALUE - agedToNanos ? Long.MAX_VALUE : agedToNanos + nanos;
  }

  boolean isAhead(long nanos) {
    return nanos > agedToNanos;
  }

  /**
   * Refunds permits without changing when waiting requests run. While any wait, only the last one
   * can be refunded. While extra permits are held back, none can, because the requests before the
   * last are then unknown.
   */
  @Override
  public void refund(long permits, long stamp, long granted) {
    if (!isAhead(lastRunNanos) && !isAhead(stamp)) {
      put(Math.min(permits, unpaid(granted, agedToNanos - stamp)));
    } else if (isCancelled(stamp, 0)) {
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
    BigInteger period = BigInteger.valueOf(nodeLimit.refillNanos());
    BigInteger repaid =
        BigInteger.valueOf(elapsedNanos).multiply(BigInteger.valueOf(nodeLimit.refillPermits()));
    return BigInteger.valueOf(granted)
        .multiply(period)
        .subtract(repaid)
        .add(BigInteger.valueOf(bucket.getRoundingError(0)))
        .max(BigInteger.ZERO)
        .divide(period)
        .longValueExact();
  }

  @Override
  public void reward(long permits) {
    put(permits);
    holdBack(0, lastRunNanos);
  }

  /** Returns permits to the bucket, no more than are missing. */
  void put(long permits) {
    bucket.addTokens(Math.min(permits, nodeLimit.capacity() - available()));
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
            .multiply(BigInteger.valueOf(nodeLimit.refillPermits()))
            .add(BigInteger.valueOf(bucket.getRoundingError(0)))
            .divide(BigInteger.valueOf(nodeLimit.refillNanos()))
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

  @Override
  public CounterState under(NodeLimit next, Now now) {
    CounterState state = next.open(now);
    long consumed =
        nodeLimit.capacity() - available() - (isAhead(heldBackUntilNanos) ? heldBack : 0);
    if (consumed > 0) {
      state.take(consumed, now);
    }
    if (state instanceof TokenBucketState other) {
      other.lastRunNanos = lastRunNanos;
      other.holdBack(0, lastRunNanos);
    }
    return state;
  }

  @Override
  public TokenBucketState copy() {
    TokenBucketState copy = new TokenBucketState(nodeLimit, bucket.copy(), agedToNanos);
    copy.lastRunNanos = lastRunNanos;
    copy.heldBack = heldBack;
    copy.heldBackUntilNanos = heldBackUntilNanos;
    return copy;
  }
}
