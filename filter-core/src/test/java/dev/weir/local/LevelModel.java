package dev.weir.local;

import dev.weir.limit.TokenBucket;
import java.math.BigInteger;

/**
 * A bucket in rational numbers that nothing rounds: its level in units of 1/(period·nodes) permit.
 */
final class LevelModel {

  private final BigInteger refill;
  private final BigInteger permit;
  private final BigInteger full;
  private BigInteger level;

  LevelModel(TokenBucket limit, int nodes, long burst) {
    refill = BigInteger.valueOf(limit.rate().permits());
    permit =
        BigInteger.valueOf(limit.rate().period().toNanos()).multiply(BigInteger.valueOf(nodes));
    full = permit.multiply(BigInteger.valueOf(burst));
    level = full;
  }

  void fill() {
    level = full;
  }

  void advance(long nanos) {
    level = level.add(refill.multiply(BigInteger.valueOf(nanos))).min(full);
  }

  boolean take(long permits) {
    BigInteger after = level.subtract(permit.multiply(BigInteger.valueOf(permits)));
    if (after.signum() < 0) {
      return false;
    }
    level = after;
    return true;
  }

  void refund(long permits) {
    level = level.add(permit.multiply(BigInteger.valueOf(permits))).min(full);
  }

  /**
   * Of permits that were granted so long ago: whole ones, and none that has come back by itself.
   */
  void refundLate(long permits, long elapsedNanos) {
    BigInteger unpaid =
        permit
            .multiply(BigInteger.valueOf(permits))
            .subtract(refill.multiply(BigInteger.valueOf(elapsedNanos)))
            .add(level.mod(permit));
    BigInteger whole = unpaid.divide(permit).max(BigInteger.ZERO);
    refund(whole.min(BigInteger.valueOf(permits)).longValueExact());
  }

  long remaining() {
    return level.divide(permit).longValueExact();
  }

  long nanosUntil(long permits) {
    return up(permit.multiply(BigInteger.valueOf(permits)).subtract(level));
  }

  long nanosUntilFull() {
    return up(full.subtract(level));
  }

  private long up(BigInteger missing) {
    BigInteger[] nanos = missing.divideAndRemainder(refill);
    BigInteger whole = nanos[1].signum() > 0 ? nanos[0].add(BigInteger.ONE) : nanos[0];
    return whole.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
  }
}
