package dev.weir.redis;

import dev.weir.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells a Redis that is silent from callers in haste. One who gave Redis hardly any time says
 * nothing about Redis. But when only such callers have failed, and nobody has had a reply for a
 * whole deadline, one call is made beside them that has the time to wait for one.
 */
final class Silence {

  private final Duration deadline;
  private final Background background;
  private final Runnable patientCall;
  private final AtomicBoolean calling = new AtomicBoolean();
  private volatile long repliedNanos = System.nanoTime();

  /**
   * @param deadline how long a reply may take
   * @param patientCall a call with that deadline, which counts what it comes to
   */
  Silence(Duration deadline, Background background, Runnable patientCall) {
    this.deadline = deadline;
    this.background = background;
    this.patientCall = patientCall;
  }

  /** Redis has replied to somebody. */
  void broken() {
    repliedNanos = System.nanoTime();
  }

  /** Whether nobody has had a reply since then. */
  boolean lastsSince(long nanos) {
    return repliedNanos - nanos <= 0;
  }

  /** Whether nobody has had a reply for half of a deadline. */
  boolean lasts() {
    return lastsSince(System.nanoTime() - deadline.toNanos() / 2);
  }

  /** Whether a caller had no reply because he gave Redis less than half of a deadline. */
  boolean isHaste(Deadline due, long begunNanos) {
    return due.hasPassed() && due.nanoTime() - begunNanos < deadline.toNanos() / 2;
  }

  /** After such a caller: makes the patient call, if it is time for one. */
  void doubt() {
    boolean lastsTooLong = lastsSince(System.nanoTime() - deadline.toNanos());
    if (lastsTooLong && calling.compareAndSet(false, true)) {
      background.later(Duration.ZERO, this::callPatiently);
    }
  }

  private void callPatiently() {
    try {
      patientCall.run();
    } finally {
      calling.set(false);
    }
  }
}
