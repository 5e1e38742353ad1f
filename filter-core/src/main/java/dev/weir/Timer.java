package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Does something later. */
interface Timer {

  /** Runs it once, so many nanoseconds from now, on a thread that may wait for a store. */
  void after(long nanos, Runnable task);

  /** The JDK's own timer and its common pool: no thread of ours is left behind. */
  static Timer system() {
    return (nanos, task) -> {
      Executor later = CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS);
      later.execute(task);
    };
  }
}
