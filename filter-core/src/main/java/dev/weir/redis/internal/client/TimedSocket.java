package dev.weir.redis.internal.client;

import dev.weir.store.Deadline;
import java.io.IOException;
import java.net.Socket;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A raw socket on which one thread at a time waits until a deadline. It is not the TLS socket above
 * it, since the close of a TLS socket may wait for the peer.
 */
final class TimedSocket implements SocketTimer.Watched {

  /** A mark in place of a deadline: the socket was closed. */
  private static final Deadline CLOSED = new Deadline(0);

  private final AtomicReference<@Nullable Deadline> wait = new AtomicReference<>();
  private final Socket socket;
  private final SocketTimer timer;

  TimedSocket(Socket socket, SocketTimer timer) {
    this.socket = socket;
    this.timer = timer;
    timer.add(this);
  }

  /** Starts a wait. Returns whether it may start; false when the socket was closed. */
  boolean begin(Deadline due) {
    if (!wait.compareAndSet(null, due)) {
      return false;
    }
    timer.arm(due.nanoTime());
    return true;
  }

  /** Ends a wait. Returns whether the socket is still open; false when the deadline came first. */
  boolean end(Deadline due) {
    return wait.compareAndSet(due, null);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // CLOSED is a mark, not a time
  public OptionalLong check(long nowNanos) {
    @Nullable Deadline due = wait.get();
    if (due == null || due == CLOSED) {
      return OptionalLong.empty();
    }
    if (nowNanos - due.nanoTime() < 0) {
      return OptionalLong.of(due.nanoTime());
    }
    if (wait.compareAndSet(due, CLOSED)) {
      closeSocket();
    }
    return OptionalLong.empty();
  }

  /** Returns whether the kernel has bytes that no thread has read. */
  boolean hasUnread() {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException closed) {
      return false;
    }
  }

  @Override
  public void closeNow() {
    wait.set(CLOSED);
    closeSocket();
    timer.remove(this);
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException alreadyClosed) {
      // the socket is closed in any case
    }
  }
}
