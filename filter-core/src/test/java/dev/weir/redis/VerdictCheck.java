package dev.weir.redis;

import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.Retry;
import dev.weir.Verdict;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Whether a store's verdict is what a model replies, in microseconds, rounded up. */
final class VerdictCheck {

  private VerdictCheck() {}

  /**
   * The local store says of a window when it ends, be it that all of it was given back; and of a
   * leaky bucket how many may run now, whoever has patience.
   */
  static boolean agrees(Verdict verdict, Step.Reply reply, boolean isLocal) {
    Limit limit = verdict.counter().limit();
    long reset = ceilMicros(verdict.resetAfter());
    boolean ends = isLocal && limit instanceof FixedWindow && reset > reply.reset();
    boolean leaks = isLocal && limit instanceof LeakyBucket;
    return inMicros(verdict.retry()).equals(retry(reply))
        && (leaks || verdict.remaining() == reply.remaining())
        && (ends || reset == reply.reset());
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
