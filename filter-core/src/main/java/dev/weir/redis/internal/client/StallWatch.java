package dev.weir.redis.internal.client;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Watches the waits for replies on a {@link PrimaryConnection}, and closes a pipeline that does not
 * respond.
 *
 * <p>A suspect wait makes the connection prepare a second one. The wait ends after a deadline,
 * since a thread may read or write until then. A check that is late, because this process was
 * paused, leaves the second connection half of the time that was planned for its reply. If bytes of
 * the reply have arrived and no thread has read them, this process was paused too: the wait then
 * goes on for a deadline.
 *
 * <p>The timer alone calls {@link #check}. All else is thread-safe.
 */
final class StallWatch implements SocketTimer.Watched {

  /** How many checks for unread bytes a deadline has, while a reply is overdue. */
  private static final int UNREAD_CHECKS = 16;

  private final PrimaryConnection connection;
  private final long deadlineNanos;

  /** The time at which the last suspect wait was overdue. It tells one wait from the next. */
  private long suspectedNanos;

  /** The end of that wait, unless there are unread bytes. */
  private long endNanos;

  /** The first check that found unread bytes; empty before. It is late after a pause. */
  private OptionalLong unreadNanos = OptionalLong.empty();

  StallWatch(PrimaryConnection connection, Duration deadline) {
    this.connection = connection;
    deadlineNanos = deadline.toNanos();
  }

  @Override
  public OptionalLong check(long nowNanos) {
    @Nullable Pipeline watched = connection.pipeline();
    OptionalLong unresponsive =
        watched == null ? OptionalLong.empty() : watched.unresponsiveNanos();
    if (watched == null || unresponsive.isEmpty()) {
      return connection.spare().closeIfOld(nowNanos);
    }
    long overdueNanos = unresponsive.getAsLong();
    long suspectNanos = watched.suspectNanos(overdueNanos);
    if (nowNanos - suspectNanos < 0) {
      connection.spare().closeIfOld(nowNanos);
      return OptionalLong.of(suspectNanos);
    }

    // the wait is suspect: its first check prepares a connection that can replace this one
    if (suspectedNanos != overdueNanos) {
      suspectedNanos = overdueNanos;
      endNanos = Math.max(overdueNanos, nowNanos + (overdueNanos - suspectNanos) / 2);
      unreadNanos = OptionalLong.empty();
      connection.prepareSpare();
    }
    if (nowNanos - endNanos < 0) {
      return OptionalLong.of(endNanos);
    }

    // the wait is over, unless this process has not read a reply that is there
    if (watched.hasUnread()) {
      long sinceNanos = unreadNanos.orElse(nowNanos);
      unreadNanos = OptionalLong.of(sinceNanos);
      if (nowNanos - sinceNanos < deadlineNanos) {
        return OptionalLong.of(nowNanos + deadlineNanos / UNREAD_CHECKS);
      }
    }
    watched.closeUnresponsive();
    return OptionalLong.empty();
  }

  @Override
  public void closeNow() {
    connection.closeNow();
  }
}
