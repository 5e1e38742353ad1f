package dev.weir.redis;

import dev.weir.LimiterListener;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases what may be held by an answer that nobody has read, on a thread that lives only as long
 * as there is such work. A hold is known by its id, so it may be released again and again: until it
 * was found; or until Redis has twice said that there is none, for the request may yet be on its
 * way when it is asked first; or until the lease has ended by itself.
 *
 * <p>What more than so many wait for is dropped, and returns with its lease.
 */
final class Releases {

  static final int MOST_WAITING = 1_000;

  private static final int ANSWERS_ENOUGH = 2;
  private static final int TRIES_IN_A_LEASE = 12;

  /** Releases what is held, and returns whether there was any. */
  interface Work {
    boolean release(List<Grant> held) throws StoreUnavailableException;
  }

  private final Work work;
  private final Duration pause;
  private final Background background;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param pause between the first try and the second; it doubles with each
   * @param listener hears of what fails in the work, which is a bug
   */
  Releases(Work work, Duration pause, LimiterListener listener) {
    this.work = work;
    this.pause = pause;
    background = new Background("weir-redis-release", listener);
  }

  /** Soon, and again; never when too many wait or this is closed. */
  void add(List<Grant> held) {
    if (held.isEmpty()) {
      return;
    }
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return;
    }
    background.later(Duration.ZERO, new Release(held));
  }

  /** How many are not over. */
  int waiting() {
    return waiting.get();
  }

  void close() {
    background.close();
  }

  /** Waits for the thread itself to end. */
  void join(long millis) throws InterruptedException {
    background.join(millis);
  }

  /** One that is tried until it is over. */
  private final class Release implements Runnable {
    private final List<Grant> held;
    private final long leaseNanos;
    private final long beganNanos = System.nanoTime();
    private long pauseNanos = pause.toNanos();
    private int answers;

    Release(List<Grant> held) {
      this.held = held;
      this.leaseNanos =
          held.stream()
              .mapToLong(grant -> grant.charge().counter().limit().timeToFull().toNanos())
              .max()
              .orElse(0);
    }

    @Override
    public void run() {
      boolean isOver = true;
      try {
        isOver = isDone() || System.nanoTime() - beganNanos > leaseNanos;
      } finally {
        if (isOver) {
          waiting.decrementAndGet();
        }
      }
      if (!isOver) {
        tryAgain();
      }
    }

    private void tryAgain() {
      background.later(Duration.ofNanos(pauseNanos), this);
      pauseNanos = Math.min(2 * pauseNanos, leaseNanos / TRIES_IN_A_LEASE);
    }

    private boolean isDone() {
      try {
        return work.release(held) || ++answers == ANSWERS_ENOUGH;
      } catch (StoreUnavailableException silent) {
        return false;
      }
    }
  }
}
