package dev.weir.redis.internal.client;

import java.util.OptionalLong;

/**
 * A wait for a reply that takes suspiciously long. It ends after a deadline, since a thread may
 * read or write until then. A check that is late, because this process was paused, leaves a second
 * connection half of the time that was planned for its answer. If bytes of the reply have arrived
 * and no thread has read them, this process was paused too: the wait then goes on for a deadline.
 * Only the timer uses it.
 */
final class SuspectWait {

  /** How often in a deadline unread bytes are looked for, while a reply is overdue. */
  private static final int UNREAD_CHECKS = 16;

  private final long deadlineNanos;

  /** The time at which the present wait is overdue. It tells one wait from the next. */
  private long overdueNanos;

  private long endNanos;

  /** The first check that found unread bytes; empty before. It is late after a pause. */
  private OptionalLong unreadNanos = OptionalLong.empty();

  SuspectWait(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Starts a wait unless it has begun before. Returns whether it begins now.
   *
   * @param suspectNanos the time from which it was to be checked
   */
  boolean begin(long overdueAtNanos, long suspectNanos, long nowNanos) {
    if (overdueNanos == overdueAtNanos) {
      return false;
    }
    overdueNanos = overdueAtNanos;
    endNanos = Math.max(overdueAtNanos, nowNanos + (overdueAtNanos - suspectNanos) / 2);
    unreadNanos = OptionalLong.empty();
    return true;
  }

  /** Returns the time of the next check; empty when the wait is over. */
  OptionalLong next(Pipeline watched, long nowNanos) {
    if (nowNanos - endNanos < 0) {
      return OptionalLong.of(endNanos);
    }
    if (!watched.hasUnread()) {
      return OptionalLong.empty();
    }
    long sinceNanos = unreadNanos.orElse(nowNanos);
    unreadNanos = OptionalLong.of(sinceNanos);
    return nowNanos - sinceNanos < deadlineNanos
        ? OptionalLong.of(nowNanos + deadlineNanos / UNREAD_CHECKS)
        : OptionalLong.empty();
  }
}
