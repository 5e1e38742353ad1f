package dev.weir.config;

import org.jspecify.annotations.Nullable;

/** A pulse that beats when it is told to. */
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
