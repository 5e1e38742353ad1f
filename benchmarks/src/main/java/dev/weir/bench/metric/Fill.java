package dev.weir.bench.metric;

import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.Keys;
import dev.weir.bench.peer.Stores;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A fill of Redis that charges one permit to each of many keys, from a few threads. */
final class Fill {

  private static final int THREADS = 16;

  /** The number of our keys per decision: this measures memory, not time. */
  private static final int TOGETHER = 50;

  private Fill() {}

  /** A part that charges the keys from the first, inclusive, to the second, exclusive. */
  @FunctionalInterface
  private interface Part {
    void charge(int from, int to) throws Exception;
  }

  static void with(Contender contender, int keys) throws Exception {
    try (contender) {
      inParts(
          keys,
          (from, to) -> {
            for (int key = from; key < to; key++) {
              require(contender.admits(key));
            }
          });
    }
  }

  static void withOurs(String uri, String limit, int keys) throws Exception {
    Limit parsed = Limit.parse(limit);
    try (LimitStore store = Stores.exact(Keys.APPLICATION, uri)) {
      inParts(
          keys,
          (from, to) -> {
            for (int key = from; key < to; key += TOGETHER) {
              require(store.decide(request(parsed, key, Math.min(to, key + TOGETHER))).allowed());
            }
          });
    }
  }

  private static AcquireRequest request(Limit limit, int from, int to) {
    List<Charge> charges = new ArrayList<>(to - from);
    for (int key = from; key < to; key++) {
      charges.add(new Charge(new Counter(Keys.LIMIT, limit, address(key)), 1));
    }
    return new AcquireRequest(charges, OnOutage.DENY, Deadline.after(Duration.ofSeconds(10)));
  }

  /** Returns a subject as a rule by address creates it. */
  private static Subject address(int key) {
    return Subject.of("ip", "10.%d.%d.%d".formatted(key >> 16 & 255, key >> 8 & 255, key & 255));
  }

  private static void inParts(int keys, Part part) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int from = (int) ((long) keys * thread / THREADS);
        int to = (int) ((long) keys * (thread + 1) / THREADS);
        running.add(
            threads.submit(
                () -> {
                  part.charge(from, to);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdown();
      threads.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static void require(boolean admitted) {
    if (!admitted) {
      throw new IllegalStateException("a new key: denied (expected: admitted)");
    }
  }
}
