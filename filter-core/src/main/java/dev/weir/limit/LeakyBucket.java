package dev.weir.limit;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit.Rate;
import java.time.Duration;
import java.util.Objects;

/**
 * A leaky bucket: a queue of at most Q permits that flows out at a rate r, one permit after
 * another.
 *
 * <p>Requests run at least 1/r apart. A request of n permits runs n/r before the next. At most Q
 * permits are in the bucket, so no request waits longer than Q/r. A request that does not fit
 * overflows, and is denied. A request that cannot wait is granted only while the bucket is empty.
 *
 * @param capacity how many permits the bucket holds, at least 1: those that wait, and those that
 *     flow out
 */
public record LeakyBucket(Rate rate, long capacity) implements Limit {

  /**
   * @throws IllegalArgumentException when capacity is not positive, or when rate and capacity
   *     together cannot be counted exactly below 2^53, or the bucket takes more than 285 years to
   *     flow out
   */
  public LeakyBucket {
    Objects.requireNonNull(rate, "rate");
    Expect.positive("capacity", capacity);
    BucketUnits unused = BucketUnits.of(rate.permits(), rate.periodMicros(), capacity);
  }

  /** Returns a bucket that holds the permits of one period. */
  public static LeakyBucket of(Rate rate) {
    return new LeakyBucket(rate, rate.permits());
  }

  /**
   * Returns a bucket out of which so many permits flow in each period, and which holds as many.
   *
   * @throws IllegalArgumentException as for {@link Rate}
   */
  public static LeakyBucket of(long permits, Duration period) {
    return of(new Rate(permits, period));
  }

  /** Returns a bucket of the same rate with another capacity. */
  public LeakyBucket withCapacity(long newCapacity) {
    return new LeakyBucket(rate, newCapacity);
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.LEAKY_BUCKET;
  }

  /** Returns how long a full bucket takes to flow out, which is also the longest wait. */
  @Override
  public Duration timeToFull() {
    return BucketUnits.of(rate.permits(), rate.periodMicros(), capacity).timeToRefill(capacity);
  }

  /** Returns what {@link Limit#parse} reads, such as {@code 2 per second leaky, capacity 20}. */
  @Override
  public String toString() {
    return rate + " leaky" + (capacity == rate.permits() ? "" : ", capacity " + capacity);
  }
}
