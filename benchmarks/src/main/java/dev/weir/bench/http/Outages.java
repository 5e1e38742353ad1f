package dev.weir.bench.http;

import dev.weir.http.RuleListener;
import dev.weir.store.Source;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A listener that counts when Weir decides in process because Redis was too slow. The figures are
 * then untrue.
 */
public final class Outages implements RuleListener {

  private static final AtomicInteger SEEN = new AtomicInteger();

  /** Created by the configuration, which names this class. */
  public Outages() {}

  /** Drops earlier outages, such as those before Redis answered for the first time. */
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
