package dev.weir.http;

import dev.weir.Deadline;
import java.time.Duration;

/**
 * The time that all decisions of one request together may take in the store. The time to resolve
 * subjects and costs is not counted. A slow function of a user must not look like a slow store.
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

  /** Begins a decision. Returns the deadline by which it must be made. */
  Deadline begin() {
    Deadline due = Deadline.after(Duration.ofNanos(leftNanos));
    beganNanos = System.nanoTime();
    isRunning = true;
    return due;
  }

  /** Ends the decision, if one has begun. */
  void end() {
    if (isRunning) {
      isRunning = false;
      leftNanos = Math.max(0, leftNanos - (System.nanoTime() - beganNanos));
    }
  }
}
