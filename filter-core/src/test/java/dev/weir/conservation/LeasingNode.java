package dev.weir.conservation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.limit.Limit;
import dev.weir.near.TokenLeaseStore;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * One of the processes of {@link LeasedConservationTest}: it says {@code ready}, waits for a line,
 * asks for permits of one counter from many threads for so long, and prints how many it was granted
 * and how many of them out of leases. Until then it prints, on a line of their own, how many it was
 * granted by now, so that what a process that is killed was granted is known well enough.
 */
final class LeasingNode {

  private static final int THREADS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LimitStore store;
  private final Counter counter;
  private final LongAdder granted = new LongAdder();
  private final LongAdder leased = new LongAdder();

  private LeasingNode(LimitStore store, Counter counter) {
    this.store = store;
    this.counter = counter;
  }

  /** Arguments: the URI of Redis, a limit, and for how many milliseconds to ask. */
  @SuppressWarnings("SystemOut") // how a process speaks to the one that started it
  public static void main(String[] args) throws InterruptedException {
    RedisOptions options = RedisOptions.of(args[0], "leasing").withDeadline(PATIENCE);
    RedisLimitStore redis = RedisLimitStore.connect(options, LimiterListener.NONE);
    try (LimitStore leases = TokenLeaseStore.of(redis, counter -> true)) {
      Counter warmUp = new Counter("warm-up", Limit.parse(args[1]), Subject.global());
      Counter counter = new Counter("leased", Limit.parse(args[1]), Subject.global());
      while (!new LeasingNode(leases, warmUp).request()) {
        Thread.onSpinWait();
      }
      LeasingNode node = new LeasingNode(leases, counter);
      System.out.println("ready");
      new Scanner(System.in, UTF_8).nextLine();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[2]));
      List<Thread> threads =
          Stream.generate(() -> new Thread(() -> node.requestUntil(end))).limit(THREADS).toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(node.granted + " " + node.leased);
    }
  }

  private void requestUntil(long endNanos) {
    while (System.nanoTime() - endNanos < 0) {
      request();
    }
  }

  private boolean request() {
    try {
      Charge one = new Charge(counter, 1);
      Decision decision =
          store.decide(new AcquireRequest(List.of(one), OnOutage.DENY, Deadline.after(PATIENCE)));
      if (decision.allowed()) {
        granted.increment();
        leased.add(decision.source() == Source.LEASE ? 1 : 0);
      }
      return decision.allowed();
    } catch (StoreUnavailableException gone) {
      return false;
    }
  }
}
