package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ConcurrencyLimiter;
import dev.weir.ConcurrencyPermits;
import dev.weir.Reservation;
import dev.weir.TokenLimiter;
import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Full;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With Redis 20 ms away, many threads adjust their grants. */
@SuppressWarnings("SystemOut") // the figures are this test's result
@Full
class FarAdjustmentsTest {

  private static final int THREADS = 64;
  private static final int KEPT = 20;

  /**
   * The most, while the test lasts: 386 permits return in each second, and each commit is 10,000.
   */
  private static final long RETURNED = 9_000;

  private static final Duration LEASE = Duration.ofSeconds(5);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final FarRedis redis = FarRedis.at(Duration.ofMillis(20));
  private final RedisLimitStore store =
      RedisLimitStore.connect(RedisOptions.of(redis.uri(), "far"), LimiterListener.NONE);

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
    redis.close();
  }

  @Test
  void twenty_permits_stay_held_beside_64_threads_that_acquire_and_release() throws Exception {
    assertThat(store.awaitAnswer(Duration.ofSeconds(10))).isTrue();
    AtomicInteger lost = new AtomicInteger();
    LimiterListener listener =
        new LimiterListener() {
          @Override
          public void onPermitsLost(Receipt held) {
            lost.incrementAndGet();
          }
        };
    try (ConcurrencyLimiter limiter =
        ConcurrencyLimiter.of("exports", "4 concurrent, ttl 5s", store).withListener(listener)) {
      List<ConcurrencyPermits> kept = new ArrayList<>();
      for (int i = 0; i < KEPT; i++) {
        kept.add(limiter.tryAcquire(Subject.of("kept", "" + i)));
      }
      long untilNanos = System.nanoTime() + LEASE.multipliedBy(3).toNanos();
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Subject subject = Subject.of("busy", "" + i);
        running.add(threads.submit(() -> acquired(limiter, subject, untilNanos)));
      }
      int acquired = 0;
      for (Future<Integer> one : running) {
        acquired += one.get();
      }
      System.out.printf("20 ms away: %d acquired and released by 64 threads%n", acquired);
      assertThat(kept).allMatch(ConcurrencyPermits::isHeld);
      assertThat(lost).hasValue(0);
      kept.forEach(ConcurrencyPermits::close);
    }
  }

  /** Returns the number acquired. None is denied: each subject has one thread and four permits. */
  private static int acquired(ConcurrencyLimiter limiter, Subject subject, long untilNanos) {
    int acquired = 0;
    while (System.nanoTime() - untilNanos < 0) {
      try (ConcurrencyPermits hold = limiter.tryAcquire(subject)) {
        assertThat(hold.decision().allowed()).isTrue();
        acquired++;
      }
    }
    return acquired;
  }

  @Test
  void no_commit_of_64_threads_is_lost() throws Exception {
    assertThat(store.awaitAnswer(Duration.ofSeconds(10))).isTrue();
    String limit = "1_000_000_000 per 30 days";
    TokenLimiter limiter = TokenLimiter.of("rows", limit, store);
    long untilNanos = System.nanoTime() + LEASE.toNanos();
    List<Future<Integer>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(threads.submit(() -> committed(limiter, untilNanos)));
    }
    long committed = 0;
    for (Future<Integer> one : running) {
      committed += one.get();
    }
    System.out.printf("20 ms away: %d committed by 64 threads%n", committed);
    long spent = 10_000 * committed;
    Awaitility.await()
        .untilAsserted(() -> assertThat(charged(store, limit)).isBetween(spent - RETURNED, spent));
  }

  private static int committed(TokenLimiter limiter, long untilNanos)
      throws StoreUnavailableException {
    int committed = 0;
    while (System.nanoTime() - untilNanos < 0) {
      try (Reservation rows = limiter.reserve(Subject.global(), 1)) {
        if (rows.decision().source() == Source.REDIS) {
          rows.commit(10_000);
          committed++;
        }
      }
    }
    return committed;
  }

  private static long charged(LimitStore store, String limit) {
    return 1_000_000_000
        - AcquireRequests.peek(store, AcquireRequests.charge("rows", limit, Subject.global(), 1))
            .binding()
            .remaining();
  }
}
