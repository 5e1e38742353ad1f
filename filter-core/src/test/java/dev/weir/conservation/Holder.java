package dev.weir.conservation;

import dev.weir.ConcurrencyLimiter;
import dev.weir.ConcurrencyPermits;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;

/**
 * One of the processes of {@link HeldTest}. It prints {@code ready}. Then it takes a permit in many
 * threads whenever one is available, until it is killed or stopped. The protected code itself
 * counts the threads inside it, in Redis, with a script of its own.
 */
final class Holder {

  static final String INSIDE = "inside";
  static final String MOST = "most";
  static final String ENTRIES = "entries";
  static final String STOP = "stop";
  static final String LOST = "lost";

  /** Counts this process in, and remembers the most that ever were. */
  private static final String ENTER =
      """
      redis.call('HINCRBY', 'inside', ARGV[1], 1)
      redis.call('INCR', 'entries')
      local sum = 0
      for _, count in ipairs(redis.call('HVALS', 'inside')) do
        sum = sum + count
      end
      if sum > tonumber(redis.call('GET', 'most') or 0) then
        redis.call('SET', 'most', sum)
      end
      return sum
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Holder() {}

  /**
   * Arguments: the URI of Redis, a limit, this process's name, how many threads, and for how many
   * milliseconds each stays inside.
   */
  @SuppressWarnings("SystemOut") // how a process speaks to the one that started it
  public static void main(String[] args) throws InterruptedException {
    RedisOptions options = RedisOptions.of(args[0], "held").withDeadline(PATIENCE);
    AtomicInteger lost = new AtomicInteger();
    LimiterListener listener =
        new LimiterListener() {
          @Override
          public void onPermitsLost(Receipt held) {
            lost.incrementAndGet();
          }
        };
    try (LimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
        ConcurrencyLimiter limiter =
            ConcurrencyLimiter.of("held", args[1], store)
                .withDeadline(PATIENCE)
                .withOnOutage(OnOutage.DENY)
                .withListener(listener)) {
      while (limiter.peek(Subject.global()).source() != Source.REDIS) {
        Thread.onSpinWait();
      }
      System.out.println("ready");
      long stayMillis = Long.parseLong(args[4]);
      List<Thread> threads =
          Stream.generate(() -> new Thread(() -> work(args[0], args[2], limiter, stayMillis)))
              .limit(Long.parseLong(args[3]))
              .toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    try (Jedis redis = new Jedis(args[0])) {
      redis.incrBy(LOST, lost.get());
    }
    System.out.println("done");
  }

  private static void work(String uri, String name, ConcurrencyLimiter limiter, long stayMillis) {
    try (Jedis redis = new Jedis(uri)) {
      while (!redis.exists(STOP)) {
        try (ConcurrencyPermits hold = limiter.tryAcquire(Subject.global())) {
          if (hold.isHeld()) {
            redis.eval(ENTER, 0, name);
            Thread.sleep(stayMillis); // the protected code
            redis.hincrBy(INSIDE, name, -1);
          } else {
            Thread.sleep(2); // another try soon
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
