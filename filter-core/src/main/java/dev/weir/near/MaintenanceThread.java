package dev.weir.near;

import dev.weir.internal.DaemonThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs rounds on a daemon thread, which exists only while there is work. */
final class MaintenanceThread implements LeaseMaintenance {

  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long CLOSING_MILLIS = 400;

  private final String name;
  private final BooleanSupplier round;
  private @Nullable Thread thread;
  private boolean closed;

  /** Whether a round is requested that has not begun. */
  private boolean isWanted;

  /**
   * @param round returns whether there is work left for the next one
   */
  MaintenanceThread(String name, BooleanSupplier round) {
    this.name = name;
    this.round = round;
  }

  @Override
  public synchronized void wake() {
    if (closed) {
      return;
    }
    isWanted = true;
    if (thread == null) {
      thread = DaemonThread.of(name, this::run);
      thread.start();
    }
    notifyAll();
  }

  /** Runs the rounds. A round that fails ends its thread, and the next lease starts another. */
  private void run() {
    try {
      while (begins()) {
        if (round.getAsBoolean()) {
          again();
        }
        LockSupport.parkNanos(ROUND_NANOS);
      }
    } finally {
      ended();
    }
  }

  private synchronized void again() {
    isWanted = true;
  }

  /** Waits until a round is requested. Returns false when that takes too long. */
  private synchronized boolean begins() {
    try {
      long idleUntilNanos = System.nanoTime() + IDLE_NANOS;
      while (!isWanted && !closed && idleUntilNanos - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, idleUntilNanos - System.nanoTime());
      }
    } catch (InterruptedException e) {
      thread = null; // interrupted from outside: the next lease starts another thread
      return false;
    }
    boolean begins = isWanted && !closed;
    isWanted = false;
    if (!begins) {
      thread = null; // a later wake-up starts another thread
    }
    return begins;
  }

  private synchronized void ended() {
    if (thread == Thread.currentThread()) {
      thread = null;
    }
  }

  @Override
  public void close() {
    @Nullable Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
      notifyAll();
    }
    if (running == null || running == Thread.currentThread()) {
      return;
    }
    try {
      running.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
