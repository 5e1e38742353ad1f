package dev.weir.http.internal.response;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The rate at which a counter that denies a request serves further requests of that size. It is a
 * number of requests in each span of time. The first span begins when the denied request would fit.
 *
 * <ul>
 *   <li>A token bucket: what its rate refills in a second, evenly. If its burst is less than that,
 *       its burst in the time that refills it. If it is slow, one request in the time that refills
 *       its permits.
 *   <li>A leaky bucket: as a token bucket with a burst of one request.
 *   <li>A fixed window: its quota in each window.
 *   <li>A sliding window: its quota in each span in which all of it returns. Within the span,
 *       requests are spread evenly from the return of the first permits to the return of the last.
 *   <li>A concurrency limit: as a token bucket with the rate at which permits are expected to
 *       return.
 * </ul>
 *
 * <p>Clients return at whole seconds after their denials. So a window that begins with its first
 * request may begin a second late, and the next window with it.
 *
 * @param spanNanos more than zero
 * @param requests in each span, at least 1
 * @param stepNanos from one request of a span to the next, at least
 */
public record ServiceRate(double spanNanos, double requests, double stepNanos) {

  private static final double SECOND_NANOS = 1e9;

  /**
   * Returns the rate after a denial.
   *
   * @param denied with a wait that helps
   * @param permits that the request takes of this counter, at least 1
   */
  public static ServiceRate after(Verdict denied, long permits) {
    Limit limit = denied.counter().limit();
    double retryNanos = ((Retry.After) denied.retry()).nanos();
    double most = Math.max(1, Math.floor((double) limit.capacity() / permits));
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> flow(permits * permitNanos(((TokenBucket) limit).rate()), most);
      case LEAKY_BUCKET -> flow(permits * permitNanos(((LeakyBucket) limit).rate()), 1);
      case FIXED_WINDOW -> {
        FixedWindow fixed = (FixedWindow) limit;
        double lateNanos = fixed.window() instanceof FixedWindow.CalendarWindow ? 0 : SECOND_NANOS;
        yield new ServiceRate(nanos(QuotaPolicy.window(fixed)) + lateNanos, most, 0);
      }
      case SLIDING_WINDOW -> {
        double returning = Math.max(0, denied.resetAfterNanos() - retryNanos);
        double spanNanos = nanos(limit.timeToFull()) + SECOND_NANOS;
        yield new ServiceRate(spanNanos, most, returning / most);
      }
      // each further request waits as long, but at most the ttl: only a block lasts longer
      case CONCURRENCY -> flow(Math.min(retryNanos, nanos(limit.timeToFull())), most);
    };
  }

  private static ServiceRate flow(double requestNanos, double burst) {
    double inASecond = Math.floor(SECOND_NANOS / requestNanos);
    if (inASecond <= 1) {
      return new ServiceRate(requestNanos, 1, 0);
    }
    return burst < inASecond
        ? new ServiceRate(burst * requestNanos, burst, 0)
        : new ServiceRate(SECOND_NANOS, inASecond, requestNanos);
  }

  private static double permitNanos(Rate rate) {
    return nanos(rate.period()) / rate.permits();
  }

  private static double nanos(Duration time) {
    return (double) TimeUnit.NANOSECONDS.convert(time);
  }
}
