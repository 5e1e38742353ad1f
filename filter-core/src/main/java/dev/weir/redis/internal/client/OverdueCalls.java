package dev.weir.redis.internal.client;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The virtual threads that wait for calls. It wakes those with overdue calls.
 *
 * <p>For each timed wait of a virtual thread the JDK creates a task, and adds it to a queue and
 * removes it again. That is a fifth of all work with 256 callers near Redis. So virtual threads
 * wait without a time, and the timer thread of the store wakes those that have waited too long. It
 * checks all of them when the first can be overdue, which is about once for each deadline.
 *
 * <p>Thread-safe.
 */
final class OverdueCalls implements SocketTimer.Watched {

  private final SocketTimer timer;
  private final Set<PendingCall> waiting = ConcurrentHashMap.newKeySet();

  OverdueCalls(SocketTimer timer) {
    this.timer = timer;
  }

  /** Parks the virtual thread of this call, and ensures that it is woken when overdue. */
  boolean park(PendingCall call) {
    waiting.add(call);
    timer.arm(call.dueNanos());
    try {
      return call.park();
    } finally {
      waiting.remove(call);
    }
  }

  /** Wakes the threads of overdue calls. It closes nothing, because other calls may be in time. */
  @Override
  public OptionalLong check(long nowNanos) {
    OptionalLong next = OptionalLong.empty();
    for (PendingCall call : waiting) {
      long dueNanos = call.dueNanos();
      if (dueNanos - nowNanos <= 0) {
        call.wake();
      } else if (next.isEmpty() || dueNanos - next.getAsLong() < 0) {
        next = OptionalLong.of(dueNanos);
      }
    }
    return next;
  }

  /** Does nothing. The code that closes the client also fails its calls. */
  @Override
  public void closeNow() {}
}
