package dev.weir;

import dev.weir.internal.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A scheduler that runs its tasks as a test advances time. */
public class ManualScheduler implements Scheduler {

  private record Due(long nanos, Runnable task) {}

  private final ManualTime time;
  private final List<Due> waiting = new ArrayList<>();

  public ManualScheduler(ManualTime time) {
    this.time = time;
  }

  @Override
  public synchronized Pending in(Duration delay, Runnable task) {
    Due due = new Due(time.nanoTime() + delay.toNanos(), task);
    waiting.add(due);
    return () -> cancel(due);
  }

  private synchronized void cancel(Due due) {
    waiting.remove(due);
  }

  /** Lets time pass, and does at its time what is due. */
  public void advance(Duration duration) {
    long endNanos = time.nanoTime() + duration.toNanos();
    Optional<Due> next = next(endNanos);
    while (next.isPresent()) {
      time.advance(Duration.ofNanos(Math.max(0, next.get().nanos - time.nanoTime())));
      cancel(next.get());
      next.get().task.run();
      next = next(endNanos);
    }
    time.advance(Duration.ofNanos(endNanos - time.nanoTime()));
  }

  private synchronized Optional<Due> next(long endNanos) {
    return waiting.stream()
        .filter(due -> due.nanos <= endNanos)
        .min(Comparator.comparingLong(Due::nanos));
  }

  synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public synchronized void close() {
    waiting.clear();
  }
}
