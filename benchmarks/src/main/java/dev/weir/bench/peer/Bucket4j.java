package dev.weir.bench.peer;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.util.concurrent.TimeUnit;

/** What Bucket4j answers. */
public final class Bucket4j {

  private Bucket4j() {}

  /** Acquires one permit of a bucket. */
  public static Answer answer(Bucket bucket) {
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return new Answer(
        probe.isConsumed(),
        probe.getRemainingTokens(),
        TimeUnit.NANOSECONDS.toMicros(probe.getNanosToWaitForReset()));
  }
}
