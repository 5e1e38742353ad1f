package com.example;

import dev.weir.ConcurrencyLimiter;
import dev.weir.ConcurrencyPermits;
import dev.weir.store.LimitStore;

/** Four exports of a user at once and a hundred a day, over all nodes. */
public final class ExportSlots implements AutoCloseable {

  private final ConcurrencyLimiter exports;

  public ExportSlots(LimitStore store) {
    exports =
        ConcurrencyLimiter.of("exports", "4 concurrent", store)
            .withLimit("daily", "100 per day window UTC");
  }

  /** Runs the export and returns true, or returns false at once. */
  public boolean run(String user, Runnable export) {
    try (ConcurrencyPermits permits = exports.tryAcquire(user)) {
      if (!permits.isHeld()) {
        return false;
      }
      export.run();
      return true;
    }
  }

  @Override
  public void close() {
    exports.close();
  }
}
