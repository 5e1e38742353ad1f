package dev.weir;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A timer of the test's own: what is due runs on the thread that lets time pass. */
final class ManualTimer implements Timer {

  private record Task(long dueNanos, long number, Runnable work) {}

  private final ManualTime time;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
  private long count;

  ManualTimer(ManualTime time) {
    this.time = time;
  }

  @Override
  public synchronized void after(long nanos, Runnable task) {
    tasks.add(new Task(time.nanoTime() + nanos, count++, task));
  }

  /** Lets time pass, and whatever becomes due happen at its time. */
  void advance(Duration by) {
    long endNanos = time.nanoTime() + by.toNanos();
    for (Task task = due(endNanos); task != null; task = due(endNanos)) {
      time.advance(Duration.ofNanos(Math.max(0, task.dueNanos - time.nanoTime())));
      task.work.run();
    }
    time.advance(Duration.ofNanos(endNanos - time.nanoTime()));
  }

  private synchronized @Nullable Task due(long endNanos) {
    return tasks.isEmpty() || tasks.peek().dueNanos > endNanos ? null : tasks.poll();
  }
}
