package dev.weir.redis.internal.client;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of the batches and calls sent to all primaries since the store was opened. Thread-safe.
 */
public final class Traffic {

  private final LongAdder batches = new LongAdder();
  private final LongAdder calls = new LongAdder();

  void sent(int callsOfBatch) {
    batches.increment();
    calls.add(callsOfBatch);
  }

  public long batches() {
    return batches.sum();
  }

  public long calls() {
    return calls.sum();
  }
}
