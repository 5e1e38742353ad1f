package dev.weir.redis;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.util.List;

/**
 * Of the limits of traces, those that the local store counts as its model does: the model counts in
 * microseconds, of which none returns more than a permit, and carries over what was consumed in the
 * same windows. Of buckets whose numbers change it has a model of its own.
 */
final class LocalLimits {

  private static final long MOST = 1L << 50;

  private LocalLimits() {}

  static List<List<Limit>> of(Traces<?> traces) {
    return traces.lines().stream()
        .filter(line -> isAlike(line.get(0)))
        .map(line -> line.stream().filter(limit -> carriesOver(line.get(0), limit)).toList())
        .toList();
  }

  private static boolean isAlike(Limit limit) {
    if (limit instanceof TokenBucket bucket) {
      return bucket.units().tickMicros() == 1 && bucket.units().p() <= bucket.units().q();
    }
    if (limit.capacity() > MOST) {
      return false; // what can be owed beyond is bounded otherwise
    }
    return !(limit instanceof LeakyBucket leaky) || leaky.units().tickMicros() == 1;
  }

  private static boolean carriesOver(Limit one, Limit other) {
    if (one instanceof FixedWindow first && other instanceof FixedWindow second) {
      return first.window().equals(second.window());
    }
    return one.equals(other) || one instanceof Concurrency || one instanceof SlidingWindow;
  }
}
