package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.util.List;

/**
 * The limits of traces that the local store counts as its model does. The model counts in
 * microseconds, none of which returns more than a permit. It carries over what was consumed in the
 * same windows. For buckets with changing numbers the local store has a model of its own.
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
    if (!(limit instanceof TokenBucket) && limit.capacity() > MOST) {
      return false; // debt beyond is bounded otherwise
    }
    boolean isBucket = limit instanceof TokenBucket || limit instanceof LeakyBucket;
    return !isBucket
        || (Units.of(limit).tickMicros() == 1 && Units.of(limit).p() <= Units.of(limit).q());
  }

  private static boolean carriesOver(Limit one, Limit other) {
    if (one instanceof FixedWindow first && other instanceof FixedWindow second) {
      return first.window().equals(second.window());
    }
    return one.equals(other) || one instanceof Concurrency || one instanceof SlidingWindow;
  }
}
