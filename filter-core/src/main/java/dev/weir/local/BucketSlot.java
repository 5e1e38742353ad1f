package dev.weir.local;

import dev.weir.BucketUnits;
import io.github.bucket4j.BucketState;
import java.math.BigInteger;

/**
 * A token bucket, counted by Bucket4j.
 *
 * <p>Its state is used rather than its bucket, for two reasons. A request over several limits
 * checks all of them before it charges any, at one time and under locks of ours. And Bucket4j is
 * exact only while refill times elapsed stays within a long, and rounds waiting times down: here it
 * is fed strides that it counts exactly, and waits are rounded up, so that they suffice.
 */
final class BucketSlot implements Slot {

  private final BucketShare share;
  private final BucketState state;
  private long agedToNanos;

  /** When the last one runs who waits; in the past when nobody does. */
  private long lastRunNanos;

  /** What was taken to hold newcomers back, and until when: at another rate it is another. */
  private long heldBack;

  private long heldBackUntilNanos;

  BucketSlot(BucketShare share, BucketState state, long nowNanos) {
    this.share = share;
    this.state = state;
    this.agedToNanos = nowNanos;
    this.lastRunNanos = nowNanos;
    this.heldBackUntilNanos = nowNanos;
  }

  @Override
  public void age(Moment now) {
    while (agedToNanos < now.nanos()) {
      long leftNanos = now.nanos() - agedToNanos;
      agedToNanos += isFull() ? leftNanos : Math.min(leftNanos, share.strideNanos());
      state.refillAllBandwidth(agedToNanos);
    }
  }

  boolean isFull() {
    return available() >= share.capacity();
  }

  @Override
  public long available() {
    return state.getAvailableTokens();
  }

  /**
   * Whoever can wait takes permits before they are there. No more than can be counted: a debt below
   * 2^53 permits and one burst more.
   */
  @Override
  public Place place(long permits, Moment now) {
    return new Place(nanosUntil(permits), nanosUntil(permits - BucketUnits.EXACT));
  }

  /** How long until so many are left. */
  long nanosUntil(long permits) {
    long missing = permits - available();
    if (missing <= 0) {
      return 0;
    }
    // Bucket4j keeps the part of a permit that has come in as a share of the period
    long periodNanos = share.refillNanos();
    long present = state.getRoundingError(0);
    long product = missing * periodNanos;
    boolean isExact = Math.multiplyHigh(missing, periodNanos) == 0 && product >= 0;
    return isExact
        ? ceilDiv(product - present, share.refillPermits())
        : ceilDiv(
            BigInteger.valueOf(missing)
                .multiply(BigInteger.valueOf(periodNanos))
                .subtract(BigInteger.valueOf(present)),
            share.refillPermits());
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
  public long nanosUntilFull(Moment now) {
    return nanosUntil(capacity());
  }

  @Override
  public void take(long permits, Moment now) {
    state.consume(permits);
  }

  @Override
  public long letIn(long permits, Moment now) {
    take(permits, now);
    if (available() >= 0) {
      return agedToNanos;
    }
    lastRunNanos = runNanos(0);
    return lastRunNanos;
  }

  long capacity() {
    return share.capacity();
  }

  /** When so many will be left. */
  long runNanos(long permits) {
    long nanos = nanosUntil(permits);
    return nanos > Long.MAX_VALUE - agedToNanos ? Long.MAX_VALUE : agedToNanos + nanos;
  }

  boolean isAhead(long nanos) {
    return nanos > agedToNanos;
  }

  /**
   * Those who wait keep their times: while there are any, only the last one gives back, and none
   * while they are kept by more than was taken, for who is before him is not known then.
   */
  @Override
  public void giveBack(long permits, long stamp, long granted) {
    if (!isAhead(lastRunNanos) && !isAhead(stamp)) {
      put(Math.min(permits, unpaid(granted, agedToNanos - stamp)));
    } else if (isCancelled(stamp, 0)) {
      put(permits);
      lastRunNanos = runNanos(0);
    }
  }

  /** Whether this is the last of those who wait, who was to run when so many are left. */
  boolean isCancelled(long stamp, long permits) {
    return isAhead(stamp) && !isAhead(heldBackUntilNanos) && stamp == runNanos(permits);
  }

  /**
   * Of permits granted so long ago, those that time has not repaid: what it has is not given back
   * too, for others may have taken it since.
   */
  private long unpaid(long granted, long elapsedNanos) {
    BigInteger period = BigInteger.valueOf(share.refillNanos());
    BigInteger repaid =
        BigInteger.valueOf(elapsedNanos).multiply(BigInteger.valueOf(share.refillPermits()));
    return BigInteger.valueOf(granted)
        .multiply(period)
        .subtract(repaid)
        .add(BigInteger.valueOf(state.getRoundingError(0)))
        .max(BigInteger.ZERO)
        .divide(period)
        .longValueExact();
  }

  @Override
  public void reward(long permits) {
    put(permits);
    holdBack(0, lastRunNanos);
  }

  /** Puts permits back, no more than are missing. */
  void put(long permits) {
    state.addTokens(Math.min(permits, share.capacity() - available()));
  }

  /**
   * Takes what it needs so that so many permits are not there before then. Those who wait keep
   * their instants, also when the rate has become faster, or permits were given back; newcomers run
   * after them.
   */
  void holdBack(long permits, long untilNanos) {
    if (!isAhead(untilNanos)) {
      return;
    }
    long missing =
        BigInteger.valueOf(untilNanos - agedToNanos - 1)
            .multiply(BigInteger.valueOf(share.refillPermits()))
            .add(BigInteger.valueOf(state.getRoundingError(0)))
            .divide(BigInteger.valueOf(share.refillNanos()))
            .add(BigInteger.ONE)
            .min(BigInteger.valueOf(BucketUnits.EXACT))
            .longValueExact();
    long more = missing - (permits - available());
    if (more > 0) {
      state.consume(more);
      heldBack = isAhead(heldBackUntilNanos) ? heldBack + more : more;
      heldBackUntilNanos = untilNanos;
    }
  }

  @Override
  public Slot under(Share next, Moment now) {
    Slot slot = next.open(now);
    long consumed = share.capacity() - available() - (isAhead(heldBackUntilNanos) ? heldBack : 0);
    if (consumed > 0) {
      slot.take(consumed, now);
    }
    if (slot instanceof BucketSlot bucket) {
      bucket.lastRunNanos = lastRunNanos;
      bucket.holdBack(0, lastRunNanos);
    }
    return slot;
  }

  @Override
  public BucketSlot copy() {
    BucketSlot copy = new BucketSlot(share, state.copy(), agedToNanos);
    copy.lastRunNanos = lastRunNanos;
    copy.heldBack = heldBack;
    copy.heldBackUntilNanos = heldBackUntilNanos;
    return copy;
  }
}
