package dev.weir.bench.http;

import dev.weir.LimiterListener;
import dev.weir.Source;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hears when Weir decides in process because Redis was too slow: what is then measured is untrue.
 */
public final class Outages implements LimiterListener {

  private static final AtomicInteger SEEN = new AtomicInteger();

  /** Made by the configuration, which names this class. */
  public Outages() {}

  /** Of those before, as when Redis was yet to answer for the first time. */
  static void forget() {
    SEEN.set(0);
  }

  static void requireNone() {
    if (SEEN.get() > 0) {
      throw new IllegalStateException(
          "http: %d times out of Redis (expected: 0)".formatted(SEEN.get()));
    }
  }

  @Override
  public void onStoreSwitched(Source now, String why) {
    if (now == Source.LOCAL) {
      SEEN.incrementAndGet();
    }
  }
}
