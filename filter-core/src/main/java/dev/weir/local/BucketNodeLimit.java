package dev.weir.local;

import dev.weir.limit.BucketUnits;
import dev.weir.limit.TokenBucket;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.BucketState;
import io.github.bucket4j.MathType;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A node's part of a token bucket, in Bucket4j's terms. The rate r/N is expressed by a period that
 * is N times as long, in lowest terms. The burst is separate.
 *
 * @param strideNanos the longest time with a refill that Bucket4j counts exactly at once
 */
record BucketNodeLimit(
    TokenBucket limit,
    int nodes,
    long dearest,
    long capacity,
    long forgottenAfterNanos,
    long strideNanos,
    BucketConfiguration configuration)
    implements NodeLimit {

  private static final BigInteger LONGEST_PERIOD_NANOS = BigInteger.ONE.shiftLeft(62);

  static BucketNodeLimit of(TokenBucket limit, int nodes, long dearest, long burst) {
    BucketUnits units = limit.units();
    BigInteger permits = BigInteger.valueOf(units.p());
    BigInteger nanos =
        BigInteger.valueOf(units.q())
            .multiply(BigInteger.valueOf(units.tickMicros() * 1_000))
            .multiply(BigInteger.valueOf(nodes));
    BigInteger common = permits.gcd(nanos);
    BucketConfiguration configuration =
        configuration(burst, permits.divide(common), nanos.divide(common));
    return new BucketNodeLimit(
        limit,
        nodes,
        dearest,
        burst,
        TimeUnit.NANOSECONDS.convert(limit.timeToFull()),
        strideNanos(configuration.getBandwidths()[0]),
        configuration);
  }

  private static long strideNanos(Bandwidth refill) {
    return (Long.MAX_VALUE - refill.getRefillPeriodNanos()) / refill.getRefillTokens();
  }

  /**
   * Returns the configuration. A period of more than 146 years does not fit a long, so it is
   * shortened together with its permits.
   */
  private static BucketConfiguration configuration(
      long burst, BigInteger permits, BigInteger nanos) {
    BigInteger period = nanos.min(LONGEST_PERIOD_NANOS);
    BigInteger refill = permits.multiply(period).divide(nanos).max(BigInteger.ONE);
    return BucketConfiguration.builder()
        .addLimit(
            Bandwidth.builder()
                .capacity(burst)
                .refillGreedy(refill.longValueExact(), Duration.ofNanos(period.longValueExact()))
                .build())
        .build();
  }

  long refillPermits() {
    return configuration.getBandwidths()[0].getRefillTokens();
  }

  long refillNanos() {
    return configuration.getBandwidths()[0].getRefillPeriodNanos();
  }

  @Override
  public TokenBucketState open(Now now) {
    return new TokenBucketState(
        this,
        BucketState.createInitialState(configuration, MathType.INTEGER_64_BITS, now.nanos()),
        now.nanos());
  }
}
