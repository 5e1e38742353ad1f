package dev.weir.servlet;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Load that does not wait for its answers: every request is due at an instant fixed beforehand, and
 * its latency counts from there. Callers that a stalled server holds up send late, and their
 * answers count as late: a stall cannot slow the load down and so hide itself.
 */
final class OpenLoop implements AutoCloseable {

  private static final int CALLERS = 256;

  private static final long THREADS_START_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** One answer to a request that was due at this {@link System#nanoTime}. */
  record Answer(long dueNanos, long latencyNanos, int status) {}

  private final List<KeptConnection> connections = new ArrayList<>();

  /** All callers are connected before the first one calls: that is no part of the load. */
  OpenLoop(URI target) throws IOException {
    for (int i = 0; i < CALLERS; i++) {
      connections.add(new KeptConnection(target));
    }
  }

  /** How many answers a second the server gives to callers that keep it busy. */
  double capacityPerSecond(Duration time) throws InterruptedException {
    AtomicLong answers = new AtomicLong();
    together(
        (startNanos, caller, connection) -> {
          while (System.nanoTime() - startNanos < time.toNanos()) {
            connection.call();
            answers.incrementAndGet();
          }
        });
    return answers.get() / (time.toNanos() / 1e9);
  }

  /**
   * Returns the highest rate at which a stall of that length finds a caller for every request. At
   * higher rates it holds up callers with further requests that are due. The measurement is then
   * how long these callers take to catch up.
   */
  static double mostPerSecond(Duration stall) {
    return CALLERS / (stall.toNanos() / 1e9);
  }

  /** Sends at a constant rate for a time, and waits for the last answer. */
  List<Answer> run(double perSecond, Duration time) throws InterruptedException {
    long requests = (long) (perSecond * time.toNanos() / 1e9);
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    together(
        (startNanos, caller, connection) -> {
          for (long i = caller; i < requests; i += CALLERS) {
            long dueNanos = startNanos + (long) (i * 1e9 / perSecond);
            waitUntil(dueNanos);
            int status = connection.call();
            answers.add(new Answer(dueNanos, System.nanoTime() - dueNanos, status));
          }
        });
    return List.copyOf(answers);
  }

  /** What one of the callers does, given its number. */
  private interface Caller {
    void call(long startNanos, int number, KeptConnection connection) throws IOException;
  }

  private void together(Caller caller) throws InterruptedException {
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      long startNanos = System.nanoTime() + THREADS_START_NANOS;
      List<Callable<Void>> calls = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int number = i;
        calls.add(
            () -> {
              waitUntil(startNanos);
              caller.call(startNanos, number, connections.get(number));
              return null;
            });
      }
      for (Future<Void> done : callers.invokeAll(calls)) {
        done.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a caller had no answer", e.getCause());
    } finally {
      callers.shutdown();
    }
  }

  @Override
  public void close() {
    connections.forEach(KeptConnection::close);
  }

  private static void waitUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
