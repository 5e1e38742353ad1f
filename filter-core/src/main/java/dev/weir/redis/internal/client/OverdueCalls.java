package dev.weir.redis.internal.client;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes the virtual threads whose calls are overdue.
 *
 * <p>For each timed wait of a virtual thread the JDK makes a task, puts it into a queue and takes
 * it out again: a fifth of all work with 256 callers near Redis. So they wait without a time, and
 * the timer thread of the store wakes those that have waited for too long. It looks at all of them
 * when the first can be overdue, which is about once for each deadline.
 *
 * <p>Thread-safe.
 */
final class OverdueCalls implements SocketTimer.Watched {

  private final SocketTimer timer;
  private final Set<PendingCall> waiting = ConcurrentHashMap.newKeySet();

  OverdueCalls(SocketTimer timer) {
    this.timer = timer;
    timer.add(this);
  }

  /**
   * Sees to it that the thread of this call is woken when it is overdue, if it is a virtual one.
   */
  void add(PendingCall call) {
    if (!call.isOnPlatformThread()) {
      waiting.add(call);
      timer.arm(call.due().nanoTime());
    }
  }

  void remove(PendingCall call) {
    if (!call.isOnPlatformThread()) {
      waiting.remove(call);
    }
  }

  /** Closes nothing: the calls of others may be in time. */
  @Override
  public OptionalLong closeIfOverdue(long nowNanos) {
    OptionalLong next = OptionalLong.empty();
    for (PendingCall call : waiting) {
      long dueNanos = call.due().nanoTime();
      if (dueNanos - nowNanos <= 0) {
        call.wake();
      } else if (next.isEmpty() || dueNanos - next.getAsLong() < 0) {
        next = OptionalLong.of(dueNanos);
      }
    }
    return next;
  }

  /** Whoever closes the client refuses its calls. */
  @Override
  public void closeNow() {}

  void close() {
    timer.remove(this);
  }
}
