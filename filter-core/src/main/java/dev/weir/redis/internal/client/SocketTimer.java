package dev.weir.redis.internal.client;

import dev.weir.internal.store.DaemonThreads;
import dev.weir.store.LimiterListener;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A timer that closes sockets on which a thread waits for too long. Before that, it lets the owner
 * of the socket prepare another connection.
 *
 * <p>The time-out of a socket is for a single read. A peer that sends one byte at a time outlasts
 * any such time-out, and a write or a TLS handshake has none. So one thread watches all sockets of
 * a store. It sleeps until the earliest time at which one of them can be overdue. Each reply makes
 * that time later. A wait that can be overdue earlier wakes the thread, with {@link #arm}.
 *
 * <p>No failure on this thread ends it. Without it, no wait would have a limit.
 */
public final class SocketTimer implements AutoCloseable {

  /** An object that the timer watches. */
  interface Watched {

    /**
     * Ends an overdue wait: closes the socket, or wakes a thread. A connection whose reply is late
     * also prepares another one.
     *
     * @return the time of the next check; empty when no thread waits
     */
    OptionalLong check(long nowNanos);

    /** Closes the socket now. */
    void closeNow();
  }

  private static final long IDLE_NANOS = 10_000_000_000L;
  private static final long AFTER_FAILURE_NANOS = 10_000_000;

  private final Set<Watched> all = ConcurrentHashMap.newKeySet();
  private final LimiterListener listener;
  private final Thread thread;
  private volatile boolean closed;

  /** When the thread wakes next; far ahead during a check, so that every wait wakes it. */
  private volatile long wakeNanos;

  public SocketTimer(String name, LimiterListener listener) {
    this.listener = listener;
    wakeNanos = System.nanoTime();
    thread = DaemonThreads.thread(DaemonThreads.named(name), this::run);
    thread.start();
  }

  void add(Watched watched) {
    all.add(watched);
    if (closed) {
      watched.closeNow();
    }
  }

  void remove(Watched watched) {
    all.remove(watched);
  }

  /** Wakes the timer if needed. Called after the start of a wait that can be overdue then. */
  void arm(long overdueNanos) {
    if (overdueNanos - wakeNanos < 0) {
      LockSupport.unpark(thread);
    }
  }

  /** Closes all sockets, and ends the thread. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    all.forEach(Watched::closeNow);
  }

  public void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void run() {
    while (!closed) {
      long nowNanos = System.nanoTime();
      wakeNanos = nowNanos + 2 * IDLE_NANOS;
      long nextNanos = nowNanos + AFTER_FAILURE_NANOS;
      try {
        nextNanos = checkAll(nowNanos);
      } catch (RuntimeException | Error e) {
        // the next check takes place even so
      }
      wakeNanos = nextNanos;
      LockSupport.parkNanos(this, Math.max(1, nextNanos - System.nanoTime()));
    }
  }

  /** Checks all sockets, and returns the time of the next check. */
  private long checkAll(long nowNanos) {
    long nextNanos = nowNanos + IDLE_NANOS;
    for (Watched watched : all) {
      try {
        OptionalLong overdue = watched.check(nowNanos);
        if (overdue.isPresent() && overdue.getAsLong() - nextNanos < 0) {
          nextNanos = overdue.getAsLong();
        }
      } catch (RuntimeException | Error e) {
        listener.onError("redis: the timer of a connection failed", e);
        watched.closeNow();
      }
    }
    return nextNanos;
  }
}
