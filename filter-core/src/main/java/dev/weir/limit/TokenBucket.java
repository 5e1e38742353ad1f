package dev.weir.limit;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit.Rate;
import java.time.Duration;
import java.util.Objects;

/**
 * A token bucket: a burst B that refills at a rate r.
 *
 * <p>In any interval of length t at most B + r·t permits are granted. From full and saturated, at
 * least ⌊B + r·t⌋ − 1 are granted. Refill is continuous: at 10 per second a permit returns every
 * 100 ms. A new subject has the whole burst.
 *
 * <p>Example. {@code 5 per second} has a burst of 5, so it grants up to 10 requests in the first
 * second. A {@link SlidingWindow} never grants more than its quota within its length.
 *
 * @param burst how many permits an idle subject may take at once, at least 1
 */
public record TokenBucket(Rate rate, long burst) implements Limit {

  /**
   * @throws IllegalArgumentException when burst is not positive, or when rate and burst together
   *     cannot be counted exactly below 2^53, or the burst takes more than 285 years to refill
   */
  public TokenBucket {
    Objects.requireNonNull(rate, "rate");
    Expect.positive("burst", burst);
    BucketUnits unused = BucketUnits.of(rate.permits(), rate.periodMicros(), burst);
  }

  /** Returns a bucket with the permits of one period as its burst. */
  public static TokenBucket of(Rate rate) {
    return new TokenBucket(rate, rate.permits());
  }

  /**
   * Returns a bucket of so many permits in each period, which are its burst too.
   *
   * @throws IllegalArgumentException as for {@link Rate}
   */
  public static TokenBucket of(long permits, Duration period) {
    return of(new Rate(permits, period));
  }

  /** Returns a bucket of so many permits per second, which are its burst too. */
  public static TokenBucket perSecond(long permits) {
    return of(permits, Duration.ofSeconds(1));
  }

  /** Returns a bucket of so many permits per minute, which are its burst too. */
  public static TokenBucket perMinute(long permits) {
    return of(permits, Duration.ofMinutes(1));
  }

  /** Returns a bucket of so many permits per hour, which are its burst too. */
  public static TokenBucket perHour(long permits) {
    return of(permits, Duration.ofHours(1));
  }

  /** Returns a bucket of so many permits per day of 24 hours, which are its burst too. */
  public static TokenBucket perDay(long permits) {
    return of(permits, Duration.ofDays(1));
  }

  /** Returns a bucket of the same rate with another burst. */
  public TokenBucket withBurst(long newBurst) {
    return new TokenBucket(rate, newBurst);
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.TOKEN_BUCKET;
  }

  @Override
  public long capacity() {
    return burst;
  }

  @Override
  public Duration timeToFull() {
    return BucketUnits.of(rate.permits(), rate.periodMicros(), burst).timeToRefill(burst);
  }

  /** Returns what {@link Limit#parse} reads, such as {@code 100 per second, burst 200}. */
  @Override
  public String toString() {
    return burst == rate.permits() ? rate.toString() : rate + ", burst " + burst;
  }
}
