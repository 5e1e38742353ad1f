package dev.weir.redis;

import dev.weir.store.LimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/**
 * Threads that decide one after the other until they are closed, with their results. A thread
 * without an answer pauses, as a request that is served by other means keeps its thread for a
 * while.
 */
final class Callers implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** How one thread decides. */
  interface Deciding {
    Load.Replied once(LimitStore store);
  }

  /** The threads' answers during a period. */
  static final class Counts {

    private static final int LONGEST_MILLIS = 10_000;

    private final long beganNanos = System.nanoTime();
    private final AtomicLong decided = new AtomicLong();
    private final AtomicLongArray byMillis = new AtomicLongArray(LONGEST_MILLIS);
    private volatile long endedNanos = beganNanos;

    private void add(Load.Replied answer) {
      byMillis.incrementAndGet((int) Math.min(LONGEST_MILLIS - 1L, answer.took().toMillis()));
      if (answer.decision().isPresent()) {
        decided.incrementAndGet();
      }
    }

    double perSecond() {
      return decided.get() * 1e9 / (endedNanos - beganNanos);
    }

    /** Returns the milliseconds that 99 of 100 answers did not exceed. */
    long p99Millis() {
      long slowest = 0;
      for (int millis = 0; millis < LONGEST_MILLIS; millis++) {
        slowest += byMillis.get(millis);
      }
      slowest /= 100;
      int millis = LONGEST_MILLIS - 1;
      while (millis > 0 && slowest - byMillis.get(millis) >= 0) {
        slowest -= byMillis.get(millis);
        millis--;
      }
      return millis + 1L;
    }
  }

  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final Counts all = new Counts();
  private volatile Counts current = new Counts();

  Callers(List<? extends LimitStore> stores, int eachStore, Deciding deciding) {
    CountDownLatch started = new CountDownLatch(eachStore * stores.size());
    for (LimitStore store : stores) {
      for (int i = 0; i < eachStore; i++) {
        Thread thread = new Thread(() -> decide(store, deciding, started));
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
    threads.forEach(Thread::start);
  }

  private void decide(LimitStore store, Deciding deciding, CountDownLatch started) {
    started.countDown();
    try {
      started.await();
    } catch (InterruptedException e) {
      return;
    }
    while (!closed.get()) {
      Load.Replied answer = deciding.once(store);
      all.add(answer);
      current.add(answer);
      if (answer.decision().isEmpty()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /** Returns how many decisions have been made since the beginning. */
  long decided() {
    return all.decided.get();
  }

  /** Returns the answers from now on, for so long. */
  Counts during(Duration time) {
    Counts tally = new Counts();
    current = tally;
    long untilNanos = tally.beganNanos + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = untilNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    current = new Counts();
    tally.endedNanos = System.nanoTime();
    return tally;
  }

  /** Ends them all; each has its last answer when this returns. */
  @Override
  public void close() {
    closed.set(true);
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> threads.stream().noneMatch(Thread::isAlive));
  }
}
