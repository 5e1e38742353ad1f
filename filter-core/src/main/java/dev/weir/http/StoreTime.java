package dev.weir.http;

import dev.weir.Deadline;
import java.time.Duration;

/**
 * How long the decisions of one request may take in the store, all together. The time that subjects
 * and costs take to be resolved is not counted: a slow function of a user must not look like a slow
 * store.
 *
 * <p>Used by one thread.
 */
final class StoreTime {

  private long leftNanos;
  private long beganNanos;
  private boolean isRunning;

  StoreTime(Duration most) {
    leftNanos = most.toNanos();
  }

  /** A decision begins. Returns by when it must be made. */
  Deadline begin() {
    Deadline due = Deadline.after(Duration.ofNanos(leftNanos));
    beganNanos = System.nanoTime();
    isRunning = true;
    return due;
  }

  /** It ends, if it has begun. */
  void end() {
    if (isRunning) {
      isRunning = false;
      leftNanos = Math.max(0, leftNanos - (System.nanoTime() - beganNanos));
    }
  }
}
