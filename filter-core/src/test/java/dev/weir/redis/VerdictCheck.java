package dev.weir.redis;

import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** A check that a store's verdict is a model's reply, in microseconds, rounded up. */
final class VerdictCheck {

  private VerdictCheck() {}

  /** Compares the two. Only a bucket's permits return between two microseconds. */
  static boolean agrees(Verdict verdict, Step.Reply reply) {
    Limit limit = verdict.counter().limit();
    long reset = ceilMicros(verdict.resetAfter());
    boolean flows = limit instanceof TokenBucket || limit instanceof LeakyBucket;
    return inMicros(verdict.retry()).equals(retry(reply))
        && verdict.remaining() == reply.remaining()
        && reset == reply.reset()
        && ceilMicros(verdict.blockedFor().orElse(Duration.ZERO)) == Math.max(0, -reply.stamp())
        && (flows || isInMicros(verdict));
  }

  private static boolean isInMicros(Verdict verdict) {
    return inMicros(verdict.retry()).equals(verdict.retry())
        && micros(ceilMicros(verdict.resetAfter())).equals(verdict.resetAfter());
  }

  private static Retry retry(Step.Reply reply) {
    if (reply.fits() == -1) {
      return Retry.NEVER;
    }
    return reply.fits() == 1 ? Retry.NOW : new Retry.After(micros(reply.retry()));
  }

  private static Retry inMicros(Retry retry) {
    return retry instanceof Retry.After after
        ? new Retry.After(micros(ceilMicros(after.time())))
        : retry;
  }

  static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  static long ceilMicros(Duration time) {
    return -Math.floorDiv(-time.toNanos(), 1_000L);
  }
}
