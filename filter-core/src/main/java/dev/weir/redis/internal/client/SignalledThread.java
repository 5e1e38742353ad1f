package dev.weir.redis.internal.client;

import dev.weir.internal.store.DaemonThreads;
import dev.weir.store.LimiterListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that does its work once for each signal. Several signals during the work cause
 * one more run. The first signal starts the thread. Thread-safe.
 */
final class SignalledThread {

  private final String name;
  private final Runnable work;
  private final LimiterListener listener;
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  SignalledThread(String name, Runnable work, LimiterListener listener) {
    this.name = DaemonThreads.named(name);
    this.work = work;
    this.listener = listener;
  }

  void signal() {
    if (signalled.getAndSet(true)) {
      return;
    }
    try {
      @Nullable Thread known = thread;
      LockSupport.unpark(known != null ? known : start());
    } catch (OutOfMemoryError noThread) {
      signalled.set(false); // the next signal tries again
      throw noThread;
    }
  }

  private synchronized @Nullable Thread start() {
    if (thread == null && !closed) {
      Thread started = DaemonThreads.thread(name, this::run);
      started.start();
      thread = started;
    }
    return thread;
  }

  private void run() {
    while (!closed) {
      if (!signalled.getAndSet(false)) {
        LockSupport.park(this);
        continue;
      }
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        listener.onError("redis: " + name + " failed", e);
      }
    }
  }

  synchronized void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  void join(long millis) throws InterruptedException {
    @Nullable Thread started = thread;
    if (started != null) {
      started.join(millis);
    }
  }
}
