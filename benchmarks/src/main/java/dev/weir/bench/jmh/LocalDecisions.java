package dev.weir.bench.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.TokenLimiter;
import dev.weir.bench.peer.Keys;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.Stores;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One decision in process for one of a thousand keys. The key is prepared for all: a subject for
 * Weir, a string for the others. The refill rate is a parameter. A bucket with a low rate stays in
 * memory. A bucket with a high rate is full again at each decision, and Weir then drops it.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets up
public class LocalDecisions {

  private static final int KEYS = 1 << 10;
  private static final int BURST = 1_000_000;

  @Param({"1", "1000000"})
  public long perSecond;

  private final Subject[] subjects = new Subject[KEYS];
  private final String[] names = new String[KEYS];
  private final LimitStore store = Stores.local();
  private final Cache<String, Bucket> buckets = Caffeine.newBuilder().maximumSize(100_000).build();
  private final Cache<String, RateLimiter> limiters =
      Caffeine.newBuilder().maximumSize(100_000).build();
  private final RateLimiterConfig config =
      RateLimiterConfig.custom()
          .limitForPeriod(BURST)
          .limitRefreshPeriod(Duration.ofSeconds(1))
          .timeoutDuration(Duration.ZERO)
          .build();
  private TokenLimiter limiter;
  private int next;

  @Setup
  public void name() {
    Numbers numbers = new Numbers(perSecond, Duration.ofSeconds(1), BURST);
    limiter = TokenLimiter.of(Keys.LIMIT, numbers.text(), store);
    for (int key = 0; key < KEYS; key++) {
      names[key] = Keys.subject(key);
      subjects[key] = Subject.of("user", names[key]);
    }
  }

  @TearDown
  public void close() {
    store.close();
  }

  /** Weir; its answer contains remaining, retry-after and reset-after. */
  @Benchmark
  public Decision weir() {
    return limiter.tryAcquire(subjects[next++ & KEYS - 1]);
  }

  /** The usual hand-made combination; its answer contains remaining and retry-after. */
  @Benchmark
  public ConsumptionProbe bucket4j() {
    return buckets.get(names[next++ & KEYS - 1], this::bucket).tryConsumeAndReturnRemaining(1);
  }

  /** The same with Resilience4j, which answers yes or no. */
  @Benchmark
  public boolean resilience4j() {
    return limiters
        .get(names[next++ & KEYS - 1], name -> RateLimiter.of(name, config))
        .acquirePermission();
  }

  private Bucket bucket(String name) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(BURST).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .build();
  }
}
