package dev.weir.http.internal.decide;

import dev.weir.store.Deadline;
import java.time.Duration;

/**
 * The time that all decisions of one request together may take in the store. The time to resolve
 * subjects and costs is not counted. A slow function of a user must not look like a slow store.
 *
 * <p>Used by one thread.
 */
public final class StoreTime {

  private Deadline left;
  private int rulesLeft;
  private boolean isRunning;

  /**
   * @param most for all decisions together; it has not begun
   * @param rules how many rules they decide
   */
  StoreTime(Deadline most, int rules) {
    left = most;
    rulesLeft = rules;
  }

  /**
   * Begins a decision of this many rules. Returns the deadline by which it must be made. The last
   * decision reads no clock here, because nothing needs to know how long it takes.
   */
  Deadline begin(int rules) {
    rulesLeft -= rules;
    if (rulesLeft > 0) {
      isRunning = true;
      left = left.begun();
    }
    return left;
  }

  /** Ends the decision, if one has begun. */
  public void end() {
    if (isRunning) {
      isRunning = false;
      left = Deadline.within(Duration.ofNanos(Math.max(0, left.remainingNanos())));
    }
  }
}
