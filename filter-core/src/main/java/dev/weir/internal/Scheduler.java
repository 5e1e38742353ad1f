package dev.weir.internal;

import java.time.Duration;

/** Runs tasks after a delay, on one shared thread. Tasks must be short, or hand on their work. */
public interface Scheduler extends AutoCloseable {

  /** A task that has not run yet. */
  interface Pending {

    /** No task. */
    Pending NONE = () -> {};

    /** Cancels the task, unless it is running already. It is removed from memory. */
    void cancel();
  }

  /** Runs a task after a delay. Does nothing once this is closed. */
  Pending in(Duration delay, Runnable task);

  /** Discards all tasks. */
  @Override
  void close();
}
