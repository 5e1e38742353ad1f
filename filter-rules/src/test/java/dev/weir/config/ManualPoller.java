package dev.weir.config;

import dev.weir.internal.store.Scheduler;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A poller of files that runs when a test calls {@link #beat}. For others, no time passes. */
final class ManualPoller implements Supplier<Scheduler> {

  private static final Duration OF_OTHERS = Duration.ofMinutes(1);

  private @Nullable Runnable beating;

  @Override
  public Scheduler get() {
    return new Scheduler() {

      private boolean isClosed;
      private boolean isOfFiles;

      @Override
      public Pending in(Duration delay, Runnable task) {
        isOfFiles = delay.compareTo(OF_OTHERS) < 0;
        if (!isClosed && isOfFiles) {
          beating = task;
        }
        return Pending.NONE;
      }

      @Override
      public void close() {
        isClosed = true;
        if (isOfFiles) {
          beating = null;
        }
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
