package dev.weir.internal;

import java.math.BigInteger;
import java.time.Duration;

/**
 * The units in which a token bucket is counted with integers. Counting stays exact for ever,
 * although Lua's arithmetic is exact only below 2^53.
 *
 * <p>A rate is p permits per q ticks, reduced to lowest terms. Debt is kept in units of 1/q permit.
 * A permit costs q units, and every tick pays p units back, so nothing is ever rounded. The tick is
 * the finest of 1 µs, 1 ms and 1 s for which twice the burst fits below 2^53 units. The second half
 * is room for permits that are reserved ahead of time. The limit's guarantees hold on the clock of
 * that tick. The time to full stays below 2^53 µs, or 285 years, so that it can be stated in any
 * unit.
 *
 * <p>Example: 3 per second, burst 6 is p = 3, q = 1,000,000 at a tick of 1 µs. An empty bucket has
 * a debt of 6,000,000 units. After 333,333 µs it has paid 999,999 units, and its debt is still one
 * unit more than 5 permits. So the first permit returns after 333,334 µs, and the third after
 * exactly one second.
 *
 * @param p units paid back in each tick
 * @param q units in one permit
 * @param tickMicros 1, 1,000 or 1,000,000
 */
public record BucketUnits(long p, long q, long tickMicros) {

  /** The bound up to which doubles, and so Lua's numbers, represent every integer. */
  public static final long EXACT = 1L << 53;

  private static final long[] TICKS_MICROS = {1, 1_000, 1_000_000};

  /**
   * Returns the units of a bucket.
   *
   * @throws IllegalArgumentException when it cannot be counted exactly, or takes more than 285
   *     years to refill
   */
  public static BucketUnits of(long permits, long periodMicros, long burst) {
    for (long tickMicros : TICKS_MICROS) {
      BigInteger paid = BigInteger.valueOf(permits).multiply(BigInteger.valueOf(tickMicros));
      BigInteger permit = BigInteger.valueOf(periodMicros);
      BigInteger common = paid.gcd(permit);
      BigInteger p = paid.divide(common);
      BigInteger q = permit.divide(common);
      BigInteger full = q.multiply(BigInteger.valueOf(burst));
      if (isExact(p) && isExact(full.shiftLeft(1))) {
        if (!isExact(full.multiply(BigInteger.valueOf(tickMicros)).divide(p))) {
          throw Expect.failure(
              "burst",
              burst,
              "a burst that " + rate(permits, periodMicros) + " refills within 285 years");
        }
        return new BucketUnits(p.longValueExact(), q.longValueExact(), tickMicros);
      }
    }
    throw Expect.failure(
        "burst",
        burst,
        "a burst that can be counted exactly at "
            + rate(permits, periodMicros)
            + ", below 2^53 units");
  }

  private static String rate(long permits, long periodMicros) {
    return permits + " per " + Spans.print(Spans.ofMicros(periodMicros));
  }

  private static boolean isExact(BigInteger number) {
    return number.compareTo(BigInteger.valueOf(EXACT)) < 0;
  }

  /** Returns how long so many permits take to return to an empty bucket, rounded up to the tick. */
  public Duration timeToRefill(long permits) {
    long ticks = -Math.floorDiv(-Math.multiplyExact(permits, q), p);
    return Spans.ofMicros(Math.multiplyExact(ticks, tickMicros));
  }
}
