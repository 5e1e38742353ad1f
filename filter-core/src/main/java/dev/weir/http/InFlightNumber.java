package dev.weir.http;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;

/**
 * How many requests at once a node serves without making them wait, as told from what they take.
 *
 * <p>TCP Vegas compares what requests take with what they took when nothing was in their way; the
 * part of the difference is that of the requests which wait. A few may; where more do, the number
 * falls, and where hardly any do, it rises. It looks at whole windows of a second and ten requests
 * at least, by their average, since requests are not alike. It rises only while at least half of
 * the number is in use. Now and then it takes what is for what is undisturbed, to learn of an
 * application that has become slower, or faster, for good.
 *
 * <p>Thread-safe.
 */
final class InFlightNumber {

  private final int from;
  private final int to;
  private final Limit vegas;

  private InFlightNumber(int start, int from, int to) {
    this.from = from;
    this.to = to;
    this.vegas =
        WindowedLimit.newBuilder()
            .build(VegasLimit.newBuilder().initialLimit(start).maxConcurrency(to).build());
  }

  static InFlightNumber of(Overload overload) {
    return new InFlightNumber(overload.start(), overload.from(), overload.to());
  }

  /** One within these bounds, which begins where this stands; this one if these are its bounds. */
  InFlightNumber within(Overload overload) {
    if (from == overload.from() && to == overload.to()) {
      return this;
    }
    int start = Math.max(overload.from(), Math.min(now(), overload.to()));
    return new InFlightNumber(start, overload.from(), overload.to());
  }

  int now() {
    return Math.max(from, Math.min(vegas.getLimit(), to));
  }

  /**
   * A request took so long, from its admission to the end of its response.
   *
   * @param inFlight how many were in the application when it came, itself among them
   */
  void took(long startNanos, long nanos, int inFlight) {
    vegas.onSample(startNanos, Math.max(1, nanos), inFlight, false);
  }
}
