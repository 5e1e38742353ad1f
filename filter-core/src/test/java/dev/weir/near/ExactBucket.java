package dev.weir.near;

import dev.weir.fixture.Units;
import dev.weir.internal.BucketUnits;
import dev.weir.limit.TokenBucket;

/**
 * The promise of a token bucket, word for word: in no interval of length t more than B + r * t.
 * That is so exactly as long as a debt that falls at the rate, and rises with each permit, stays
 * within the burst.
 */
final class ExactBucket {

  private final BucketUnits units;
  private final long fullUnits;
  private long debtUnits;
  private long atTicks;

  ExactBucket(TokenBucket limit) {
    units = Units.of(limit);
    fullUnits = Math.multiplyExact(limit.burst(), units.q());
  }

  /**
   * Takes so many permits, whether or not they are there; returns how many are beyond the promise.
   */
  long take(long permits, long nowMicros) {
    age(nowMicros);
    long before = beyond();
    debtUnits += permits * units.q();
    return beyond() - before;
  }

  /** Takes a permit if it is there. */
  boolean tryTake(long nowMicros) {
    age(nowMicros);
    if (debtUnits + units.q() > fullUnits) {
      return false;
    }
    debtUnits += units.q();
    return true;
  }

  private long beyond() {
    long over = Math.max(0, debtUnits - fullUnits);
    return (over + units.q() - 1) / units.q();
  }

  private void age(long nowMicros) {
    long ticks = nowMicros / units.tickMicros();
    long elapsed = ticks - atTicks;
    atTicks = ticks;
    debtUnits = elapsed >= debtUnits / units.p() + 1 ? 0 : debtUnits - elapsed * units.p();
    debtUnits = Math.max(0, debtUnits);
  }
}
