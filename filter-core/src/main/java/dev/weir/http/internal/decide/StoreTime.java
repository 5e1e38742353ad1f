package dev.weir.http.internal.decide;

import dev.weir.Deadline;
import java.time.Duration;

/**
 * The time that all decisions of one request together may take in the store. The time to resolve
 * subjects and costs is not counted. A slow function of a user must not look like a slow store.
 *
 * <p>Used by one thread.
 */
public final class StoreTime {

  private long leftNanos;
  private long beganNanos;
  private boolean isRunning;

  StoreTime(Duration most) {
    leftNanos = Deadline.within(most).nanos();
  }

  /** Begins a decision. Returns the deadline by which it must be made. */
  Deadline begin() {
    beganNanos = System.nanoTime();
    Deadline due = new Deadline(beganNanos + leftNanos);
    isRunning = true;
    return due;
  }

  /** Ends the decision, if one has begun. */
  public void end() {
    if (isRunning) {
      isRunning = false;
      leftNanos = Math.max(0, leftNanos - (System.nanoTime() - beganNanos));
    }
  }
}
