package dev.weir.delay;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is under way. Each thing comes out so long after it went in, in the order in which all went
 * in. However much goes in, all of it is due at its own time: the line has no throughput.
 *
 * <p>One thread puts, another takes.
 */
final class DelayLine<T> {

  private record Entry<T>(T what, long dueNanos) {}

  private final long delayNanos;
  private final Queue<Entry<T>> entries = new ConcurrentLinkedQueue<>();

  DelayLine(long delayNanos) {
    this.delayNanos = delayNanos;
  }

  void put(T what, long nowNanos) {
    entries.add(new Entry<>(what, nowNanos + delayNanos));
  }

  /** Takes the oldest, if it is due. */
  @Nullable T take(long nowNanos) {
    @Nullable Entry<T> head = entries.peek();
    if (head == null || head.dueNanos() - nowNanos > 0) {
      return null;
    }
    entries.remove();
    return head.what();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** How long until the oldest is due; the longest time there is when nothing is under way. */
  long waitNanos(long nowNanos) {
    @Nullable Entry<T> head = entries.peek();
    return head == null ? Long.MAX_VALUE : Math.max(0, head.dueNanos() - nowNanos);
  }
}
