package dev.weir.redis;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Threads that call a store, and how long each answer took. */
final class Load {

  /** One answer: a decision, or none. */
  record Replied(Optional<Decision> decision, Duration took) {}

  private Load() {}

  static AcquireRequest request(Duration deadline) {
    return request("1000 per second, burst 1_000_000", deadline);
  }

  static AcquireRequest request(String limit, Duration deadline) {
    Charge charge = AcquireRequests.charge("load", limit, Subject.of("load"), 1);
    return new AcquireRequest(List.of(charge), OnOutage.LOCAL, Deadline.after(deadline));
  }

  static Replied once(LimitStore store, Duration deadline) {
    return once(store, request(deadline));
  }

  static Replied once(LimitStore store, AcquireRequest request) {
    long beganNanos = System.nanoTime();
    Optional<Decision> decision;
    try {
      decision = Optional.of(store.decide(request));
    } catch (StoreUnavailableException gone) {
      decision = Optional.empty();
    }
    return new Replied(decision, Duration.ofNanos(System.nanoTime() - beganNanos));
  }

  static boolean decides(LimitStore store) {
    return once(store, Duration.ofSeconds(1)).decision().isPresent();
  }

  /** Runs so many threads that call so often, all beginning together. */
  static List<Replied> storm(LimitStore store, int threads, int times, Duration deadline)
      throws InterruptedException {
    List<Replied> answers = new CopyOnWriteArrayList<>();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                awaitStart(start);
                for (int n = 0; n < times; n++) {
                  answers.add(once(store, deadline));
                }
              });
      thread.start();
      all.add(thread);
    }
    start.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    return answers;
  }

  private static void awaitStart(CountDownLatch start) {
    try {
      start.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static Duration longest(List<Replied> answers) {
    return answers.stream().map(Replied::took).max(Duration::compareTo).orElseThrow();
  }
}
