package dev.weir.config;

import dev.weir.internal.store.Scheduler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A poller that runs when a test calls {@link #beat}. */
final class ManualPoller implements Supplier<Scheduler> {

  private @Nullable Runnable beating;

  @Override
  public Scheduler get() {
    return new Scheduler() {

      private boolean isClosed;

      @Override
      public Pending in(Duration delay, Runnable task) {
        if (!isClosed) {
          beating = task;
        }
        return Pending.NONE;
      }

      @Override
      public void close() {
        isClosed = true;
        beating = null;
      }
    };
  }

  boolean isBeating() {
    return beating != null;
  }

  /** Often enough for a change to have settled. */
  void settle() {
    beat();
    beat();
  }

  /** Runs the task once. It runs again only if it has asked for that. */
  void beat() {
    Runnable beat = beating;
    beating = null;
    if (beat != null) {
      beat.run();
    }
  }
}
