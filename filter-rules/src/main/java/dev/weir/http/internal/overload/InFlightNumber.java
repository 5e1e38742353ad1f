package dev.weir.http.internal.overload;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import dev.weir.http.Overload;

/**
 * The number of concurrent requests that a node serves without making them wait. It is estimated
 * from their latency.
 *
 * <p>TCP Vegas compares the latency of requests with the latency when nothing delays them. The
 * share of the difference is the share of the requests that wait. A few may wait. If more wait, the
 * number falls. If hardly any wait, it rises. It rises only while at least half of it is in use.
 *
 * <p>Requests are not alike, so the average of a whole window counts. A window has at least one
 * second and ten requests. Now and then the current latency is taken as the undelayed one. This
 * detects an application that has become slower, or faster, for good.
 *
 * <p>Thread-safe.
 */
public final class InFlightNumber {

  private final Overload bounds;
  private final Limit vegas;

  private InFlightNumber(int start, Overload bounds) {
    this.bounds = bounds;
    this.vegas =
        WindowedLimit.newBuilder()
            .build(VegasLimit.newBuilder().initialLimit(start).maxConcurrency(bounds.to()).build());
  }

  public static InFlightNumber of(Overload overload) {
    return new InFlightNumber(overload.start(), overload);
  }

  /**
   * Returns a number within these bounds that starts at the current value. Returns this one if its
   * bounds are the same.
   */
  public InFlightNumber within(Overload overload) {
    if (bounds.from() == overload.from() && bounds.to() == overload.to()) {
      return this;
    }
    int start = Math.max(overload.from(), Math.min(now(), overload.to()));
    return new InFlightNumber(start, overload);
  }

  public int now() {
    return Math.max(bounds.from(), Math.min(vegas.getLimit(), bounds.to()));
  }

  /**
   * Records how long a request took, from its admission to the end of its response, and how many
   * were in flight when it arrived, with itself.
   */
  public void took(long startNanos, long nanos, int inFlight) {
    vegas.onSample(startNanos, Math.max(1, nanos), inFlight, false);
  }
}
