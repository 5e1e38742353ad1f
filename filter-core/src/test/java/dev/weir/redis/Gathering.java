package dev.weir.redis;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/** Requests that share a batch with certainty: Redis is frozen until all of them wait. */
final class Gathering {

  private Gathering() {}

  /** Sends all requests, each on a thread of its own and in this order. */
  static List<CompletableFuture<Decision.Counted>> at(
      RedisServer server, LimitStore store, List<AcquireRequest> requests) {
    List<CompletableFuture<Decision.Counted>> answers = new ArrayList<>();
    server.freeze();
    try {
      for (AcquireRequest request : requests) {
        answers.add(requested(store, request));
      }
    } finally {
      server.thaw();
    }
    return answers;
  }

  /** Sends a request on a thread of its own, which waits by the time that this returns. */
  static CompletableFuture<Decision.Counted> requested(LimitStore store, AcquireRequest request) {
    CompletableFuture<Decision.Counted> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete((Decision.Counted) store.decide(request));
              } catch (Throwable failure) {
                answer.completeExceptionally(failure);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> thread.getState() == Thread.State.TIMED_WAITING || isReading(thread));
    return answer;
  }

  /**
   * Checks the stack: the thread that sends the batch waits in the socket, but the JVM reports that
   * it runs.
   */
  private static boolean isReading(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("read") && frame.getClassName().startsWith("java.net.")) {
        return true;
      }
    }
    return false;
  }
}
