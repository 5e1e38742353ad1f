package dev.weir.servlet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Load that does not wait for its answers: every request is due at an instant fixed beforehand, and
 * its latency counts from there, so a server that stalls cannot slow the load down and so hide it.
 */
final class OpenLoop {

  /**
   * One answer.
   *
   * @param status 0 when the connection failed
   */
  record Answer(long dueNanos, long latencyNanos, int status) {}

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpRequest request;

  OpenLoop(URI target) {
    this.request = HttpRequest.newBuilder(target).timeout(Duration.ofSeconds(20)).build();
  }

  /** How many answers a second the server gives to callers that keep it busy. */
  double capacityPerSecond(int callers, Duration time) throws InterruptedException {
    AtomicLong answers = new AtomicLong();
    long endNanos = System.nanoTime() + time.toNanos();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Thread thread = new Thread(() -> callUntil(endNanos, answers));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return answers.get() / (time.toNanos() / 1e9);
  }

  /** Sends at a constant rate for a time, and waits for the last answer. */
  List<Answer> run(double perSecond, Duration time) {
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<?>> underWay = new ArrayList<>();
    long startNanos = System.nanoTime();
    long requests = (long) (perSecond * time.toNanos() / 1e9);
    for (long i = 0; i < requests; i++) {
      long dueNanos = startNanos + (long) (i * 1e9 / perSecond);
      waitUntil(dueNanos);
      underWay.add(
          client
              .sendAsync(request, BodyHandlers.discarding())
              .handle(
                  (response, failure) ->
                      answers.add(
                          new Answer(
                              dueNanos,
                              System.nanoTime() - dueNanos,
                              failure == null ? response.statusCode() : 0))));
    }
    CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)).join();
    return List.copyOf(answers);
  }

  private void callUntil(long endNanos, AtomicLong answers) {
    try {
      while (System.nanoTime() < endNanos) {
        client.send(request, BodyHandlers.discarding());
        answers.incrementAndGet();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void waitUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
