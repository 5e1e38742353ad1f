package dev.weir.internal.wait;

import dev.weir.limit.FirstRequestWindow;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.Rate;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import dev.weir.limit.Window;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The upper bound of what a limit can grant within a time. A request behind more permits than that
 * is not served in time. It is a bound and no forecast. Refunds during that time are not included.
 */
public final class Supply {

  private Supply() {}

  /**
   * Returns the most permits that can be granted from now until this time has passed, both
   * included.
   */
  public static long most(Limit limit, Duration time) {
    long capacity = limit.capacity();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> sum(capacity, flow(((TokenBucket) limit).rate(), time));
      case LEAKY_BUCKET -> sum(capacity, flow(((LeakyBucket) limit).rate(), time));
      case FIXED_WINDOW ->
          product(capacity, touched(shortest(((FixedWindow) limit).window()), time));
      case SLIDING_WINDOW -> product(capacity, touched(((SlidingWindow) limit).length(), time));
      case CONCURRENCY -> Long.MAX_VALUE; // held permits may return at any time
    };
  }

  private static long flow(Rate rate, Duration time) {
    double periods = (double) TimeUnit.MICROSECONDS.convert(time) / rate.periodMicros();
    return (long) Math.ceil(periods * rate.permits()) + 1;
  }

  /** Returns how many windows of this length one span of time may meet at most. */
  private static long touched(Duration length, Duration time) {
    return time.dividedBy(length) + 2;
  }

  /**
   * Returns a length that no usual window falls below. Calendar windows differ in length: a third
   * of the longest is shorter than any usual one.
   */
  private static Duration shortest(Window window) {
    return window instanceof FirstRequestWindow ? window.longest() : window.longest().dividedBy(3);
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static long product(long one, long other) {
    return one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }
}
