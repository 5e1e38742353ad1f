package dev.weir.conservation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.PeriodLimiter;
import dev.weir.TokenLimiter;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;

/**
 * One of the processes of {@link ConservationTest}: says {@code ready}, waits for a line, asks for
 * permits from many threads as fast as it is answered, and prints what it asked and was granted,
 * and from when to when by Redis's clock all of its threads were asking.
 */
final class Worker {

  static final int THREADS = 16;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What one limiter was asked and granted; a decision made elsewhere than in Redis spoils it. */
  private static final class Counts {
    final LongAdder requested = new LongAdder();
    final LongAdder granted = new LongAdder();
    final LongAdder spoiled = new LongAdder();

    void add(Decision decision) {
      requested.increment();
      if (decision.source() != Source.REDIS) {
        spoiled.increment();
      }
      if (decision.allowed()) {
        granted.increment();
      }
    }

    @Override
    public String toString() {
      return requested.sum() + " " + granted.sum() + " " + spoiled.sum();
    }
  }

  private final TokenLimiter bucket;
  private final PeriodLimiter window;
  private final Counts buckets = new Counts();
  private final Counts windows = new Counts();

  private Worker(TokenLimiter bucket, PeriodLimiter window) {
    this.bucket = bucket;
    this.window = window;
  }

  /** Arguments: the URI of Redis, a bucket, a window, and for how many seconds to ask. */
  @SuppressWarnings("SystemOut") // how a process speaks to the one that started it
  public static void main(String[] args) throws InterruptedException {
    RedisOptions options = RedisOptions.of(args[0], "conservation").withDeadline(PATIENCE);
    try (LimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
        Jedis clock = new Jedis(args[0])) {
      TokenLimiter bucket = TokenLimiter.of("bucket", args[1], store).withDeadline(PATIENCE);
      PeriodLimiter window = PeriodLimiter.of("window", args[2], store).withDeadline(PATIENCE);
      Worker worker =
          new Worker(bucket.withOnOutage(OnOutage.DENY), window.withOnOutage(OnOutage.DENY));
      worker.connect();
      System.out.println("ready");
      new Scanner(System.in, UTF_8).nextLine();

      long seconds = Long.parseLong(args[3]);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      List<Thread> threads =
          Stream.generate(() -> new Thread(() -> worker.requestUntil(end))).limit(THREADS).toList();
      threads.forEach(Thread::start);
      long from = micros(clock);
      TimeUnit.SECONDS.timedJoin(threads.get(0), seconds - 1);
      long to = micros(clock);
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(worker.buckets + " " + worker.windows + " " + from + " " + to);
    }
  }

  static long micros(Jedis client) {
    List<String> time = client.time();
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }

  /**
   * Waits for the connection. A store connects in the background, and the outage policy answers
   * until then.
   */
  private void connect() {
    while (bucket.tryAcquire(Subject.of("warm-up")).source() != Source.REDIS) {
      Thread.onSpinWait();
    }
  }

  private void requestUntil(long end) {
    while (System.nanoTime() < end) {
      buckets.add(bucket.tryAcquire(Subject.global()));
      windows.add(window.tryAcquire(Subject.global()));
    }
  }
}
