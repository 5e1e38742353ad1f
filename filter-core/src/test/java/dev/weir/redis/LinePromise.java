package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.internal.BucketUnits;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A request that waits for a bucket keeps its place, whatever else is rewarded, debited or
 * refunded, and however the numbers change. A later request runs after it: from a token bucket that
 * is empty then, or when its permits have flowed out of a leaky one.
 */
final class LinePromise extends WrittenSteps {

  private record Waiter(long runs, long permits) {

    Waiter earlier(long micros) {
      return new Waiter(runs - micros, permits);
    }
  }

  private final List<Waiter> waiting = new ArrayList<>();

  @Override
  void lost() {
    waiting.clear();
  }

  /** Handles a refund: only the last waiting request can leave. */
  @Override
  void gaveBack(Step.Refund back) {
    if (!waiting.isEmpty() && back.stamp() > back.now()) {
      waiting.remove(waiting.size() - 1);
    }
  }

  @Override
  void rewarded(Step.Reward reward) {
    // it keeps its place
  }

  /**
   * Follows time; where the clock has jumped back, a request runs as long after it as before, to
   * the tick.
   */
  @Override
  void pass(long now, boolean stepsBack, Limit limit) {
    long tick = Units.of(limit).tickMicros();
    long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
    long highest = time().highest();
    time().at(now / tick * tick, stepsBack ? full : Long.MAX_VALUE / 2);
    if (time().highest() < highest) {
      long jump = highest - time().highest() + tick;
      waiting.replaceAll(waiter -> waiter.earlier(jump));
    }
    waiting.removeIf(waiter -> waiter.runs() <= Math.max(now, time().highest()));
  }

  @Override
  void granted(Step.Decide decide, Replied replied, int i) {
    long runs = replied.reply().stamp();
    if (!waiting.isEmpty()) {
      Waiter before = last();
      long permits = decide.limit() instanceof LeakyBucket ? before.permits() : decide.permits();
      Promise.require(
          isAfter(runs - before.runs(), permits, Units.of(decide.limit())),
          "P13: runs after who waits",
          i,
          replied);
    }
    if (replied.reply().retry() > 0) {
      waiting.add(new Waiter(runs, decide.permits()));
    }
  }

  private Waiter last() {
    return waiting.get(waiting.size() - 1);
  }

  /**
   * Returns whether the rate pays for so many in that time; the one before ran up to a tick late.
   */
  private static boolean isAfter(long micros, long permits, BucketUnits units) {
    long tick = units.tickMicros();
    long paid = BucketPromise.paid(-Math.floorDiv(-micros, tick) * tick, units);
    return micros >= 0
        && Rational.of(permits)
                .times(Rational.of(units.q()))
                .compareTo(Rational.of(paid + units.p() - 1))
            <= 0;
  }
}
