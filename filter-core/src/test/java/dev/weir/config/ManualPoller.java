package dev.weir.config;

import org.jspecify.annotations.Nullable;

/** A poller that runs when a test calls {@link #beat}. */
final class ManualPoller implements Poller {

  private @Nullable Runnable beating;

  @Override
  public Runnable start(Runnable beat) {
    beating = beat;
    return () -> beating = null;
  }

  boolean isBeating() {
    return beating != null;
  }

  /** Often enough for a change to have settled. */
  void settle() {
    beat();
    beat();
  }

  void beat() {
    Runnable beat = beating;
    if (beat != null) {
      beat.run();
    }
  }
}
