package dev.weir.redis;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Cuts what is waited on for too long. A socket's time-out is per read: a peer that drips one byte
 * at a time outlasts any, and a write or a TLS handshake has none. So one thread looks at every
 * wait under way, a few times in each deadline, and closes the sockets of those that are due. To
 * wait under it costs two writes to memory, and no lock.
 */
final class Watchdog implements AutoCloseable {

  private static final long LOOK_NANOS = 4_000_000L;
  private static final long IDLE_NANOS = 1_000_000_000L;
  private static final int LOOKS_BEFORE_IDLE = 500;

  private final Set<Watched> all = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean idle;

  Watchdog(String name) {
    thread = new Thread(this::watch, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Looks after it from now on, until {@link #forget}. */
  void add(Watched watched) {
    all.add(watched);
    if (closed) {
      watched.cut();
    }
  }

  void forget(Watched watched) {
    all.remove(watched);
  }

  /** A wait has begun somewhere: the thread looks more often. */
  void wake() {
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
  }

  /** Cuts everything, and ends the thread. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    all.forEach(Watched::cut);
  }

  void join(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void watch() {
    int looksInVain = 0;
    while (!closed) {
      looksInVain = look() ? 0 : looksInVain + 1;
      if (looksInVain < LOOKS_BEFORE_IDLE) {
        LockSupport.parkNanos(this, LOOK_NANOS);
        continue;
      }
      idle = true;
      if (!look()) {
        LockSupport.parkNanos(this, IDLE_NANOS);
      }
      idle = false;
    }
  }

  /** Whether anything is waited on. */
  private boolean look() {
    boolean busy = false;
    long now = System.nanoTime();
    for (Watched watched : all) {
      busy |= watched.cutIfDue(now);
    }
    return busy;
  }
}
