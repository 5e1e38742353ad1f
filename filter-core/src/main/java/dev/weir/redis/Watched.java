package dev.weir.redis;

import dev.weir.Deadline;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A socket that is waited on under the {@link Watchdog}. It holds the raw socket: closing a TLS
 * socket may itself wait for the peer.
 */
final class Watched {

  /** In place of a deadline: the socket was closed. */
  private static final Deadline CUT = new Deadline(0);

  private final AtomicReference<@Nullable Deadline> due = new AtomicReference<>();
  private final Socket socket;

  Watched(Socket socket) {
    this.socket = socket;
  }

  /** A wait begins. Returns whether it may: not when the socket was cut. */
  boolean begin(Deadline deadline) {
    return due.compareAndSet(null, deadline);
  }

  /** The wait is over. Returns whether the socket lives on: not when the deadline came first. */
  boolean end(Deadline deadline) {
    return due.compareAndSet(deadline, null);
  }

  /** Cuts a wait that is due; returns whether there is a wait. */
  @SuppressWarnings("ReferenceEquality") // CUT is a mark, not a time
  boolean cutIfDue(long nowNanos) {
    Deadline deadline = due.get();
    if (deadline == null || deadline == CUT) {
      return false;
    }
    if (nowNanos - deadline.nanoTime() >= 0 && due.compareAndSet(deadline, CUT)) {
      closeSocket();
    }
    return true;
  }

  /** Closes the socket, whoever waits on it. */
  void cut() {
    due.set(CUT);
    closeSocket();
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // closed is what it should be
    }
  }
}
