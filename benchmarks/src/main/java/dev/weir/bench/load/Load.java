package dev.weir.bench.load;

import dev.weir.bench.peer.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A load of so many threads that call as fast as they are answered, each for keys at random.
 *
 * @param keys how many there are
 */
public record Load(int threads, int keys, Duration time) {

  /**
   * The result.
   *
   * @param beganNanos before the first call
   * @param endedNanos after the last answer
   */
  public record Outcome(long decisions, long denials, long beganNanos, long endedNanos) {

    public double seconds() {
      return (endedNanos - beganNanos) / 1e9;
    }

    public double perSecond() {
      return decisions / seconds();
    }

    /**
     * Returns this, and fails on any denial: a denial costs less than the decisions under test.
     *
     * @param name names the contender in the message
     */
    public Outcome requireAdmitted(String name) {
      if (denials > 0) {
        throw new IllegalStateException("%s: %d denials (expected: 0)".formatted(name, denials));
      }
      return this;
    }

    private Outcome plus(Outcome other) {
      return new Outcome(
          decisions + other.decisions,
          denials + other.denials,
          Math.min(beganNanos, other.beganNanos),
          Math.max(endedNanos, other.endedNanos));
    }
  }

  /** Runs on each of these in turn, until the compiler is done. */
  public Warmth warmUp(Iterable<? extends Contender> contenders) throws Exception {
    return Compilation.ofThisJvm()
        .finish(
            time,
            () -> {
              for (Contender one : contenders) {
                on(one);
              }
            });
  }

  /** Runs on platform threads that end with it. */
  public Outcome on(Contender contender) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      return on(contender, executor);
    } finally {
      executor.shutdown();
      executor.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  /** Runs on threads of this executor, which has as many. */
  public Outcome on(Contender contender, ExecutorService executor) throws Exception {
    CountDownLatch ready = new CountDownLatch(threads);
    AtomicBoolean over = new AtomicBoolean();
    try {
      List<Future<Outcome>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(executor.submit(worker(contender, thread, ready, over)));
      }
      ready.await();
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
      over.set(true);
      Outcome all = running.get(0).get();
      for (Future<Outcome> one : running.subList(1, threads)) {
        all = all.plus(one.get());
      }
      return all;
    } finally {
      over.set(true);
    }
  }

  /** Returns a worker that begins when all are ready. */
  private Callable<Outcome> worker(
      Contender contender, int seed, CountDownLatch ready, AtomicBoolean over) {
    return () -> {
      SplittableRandom random = new SplittableRandom(seed);
      ready.countDown();
      ready.await();
      long began = System.nanoTime();
      long decisions = 0;
      long denials = 0;
      while (!over.get()) {
        denials += contender.admits(random.nextInt(keys)) ? 0 : 1;
        decisions++;
      }
      return new Outcome(decisions, denials, began, System.nanoTime());
    };
  }
}
