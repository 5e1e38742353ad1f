package com.example;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts denials. Give it to a limiter by {@code limiter.withListener(denials)}. */
public final class DenialCounter implements LimiterListener {

  private final LongAdder denials = new LongAdder();

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    if (!decision.allowed()) {
      denials.increment();
    }
  }

  public long denials() {
    return denials.sum();
  }
}
