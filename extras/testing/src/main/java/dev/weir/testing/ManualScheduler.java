package dev.weir.testing;

import dev.weir.internal.store.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The tasks of one limiter on a clock. */
final class ManualScheduler implements Scheduler {

  private final ManualClock clock;
  private volatile boolean closed;

  ManualScheduler(ManualClock clock) {
    this.clock = clock;
  }

  @Override
  public Pending in(Duration delay, Runnable task) {
    return clock.in(delay, () -> run(task))::run;
  }

  private void run(Runnable task) {
    if (!closed) {
      task.run();
    }
  }

  /** Nothing but the blocking thread itself would let time pass. */
  @Override
  public <T> CompletableFuture<T> beginBlocking(Supplier<CompletableFuture<T>> wait) {
    return clock.passUntilDone(wait);
  }

  @Override
  public void sleep(Duration time) {
    clock.advance(time);
  }

  @Override
  public void close() {
    closed = true;
  }
}
