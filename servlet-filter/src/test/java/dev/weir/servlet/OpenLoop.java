package dev.weir.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Load that does not wait for its answers: every request is due at an instant fixed beforehand, and
 * its latency counts from there. Callers that a stalled server holds up send late, and their
 * answers count as late: a stall cannot slow the load down and so hide itself.
 */
final class OpenLoop {

  /** More than the requests of a deadline, so that one stall does not hold up the next request. */
  private static final int CALLERS = 256;

  /** One answer to a request that was due at this {@link System#nanoTime}. */
  record Answer(long dueNanos, long latencyNanos, int status) {}

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpRequest request;

  OpenLoop(URI target) {
    this.request = HttpRequest.newBuilder(target).timeout(Duration.ofSeconds(20)).build();
  }

  /** How many answers a second the server gives to callers that keep it busy. */
  double capacityPerSecond(Duration time) throws InterruptedException {
    long endNanos = System.nanoTime() + time.toNanos();
    AtomicLong answers = new AtomicLong();
    together(
        caller -> {
          while (System.nanoTime() < endNanos) {
            call();
            answers.incrementAndGet();
          }
        });
    return answers.get() / (time.toNanos() / 1e9);
  }

  /** Sends at a constant rate for a time, and waits for the last answer. */
  List<Answer> run(double perSecond, Duration time) throws InterruptedException {
    long startNanos = System.nanoTime();
    long requests = (long) (perSecond * time.toNanos() / 1e9);
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    together(
        caller -> {
          for (long i = caller; i < requests; i += CALLERS) {
            long dueNanos = startNanos + (long) (i * 1e9 / perSecond);
            waitUntil(dueNanos);
            int status = call();
            answers.add(new Answer(dueNanos, System.nanoTime() - dueNanos, status));
          }
        });
    return List.copyOf(answers);
  }

  /** What one of the callers does, told by its number. */
  private interface Caller {
    void call(int number);
  }

  private static void together(Caller caller) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int number = i;
      Thread thread = new Thread(() -> caller.call(number));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private int call() {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void waitUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
