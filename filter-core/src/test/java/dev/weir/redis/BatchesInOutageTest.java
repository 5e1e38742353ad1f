package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Redis freezes under load that does not wait for its answers. With batches no caller waits longer
 * than with single calls, and the outage is detected as soon.
 */
@SuppressWarnings("SystemOut") // the figures are this test's result
@Full
class BatchesInOutageTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);

  /**
   * Fewer than arrive within a deadline, as a container has threads: a delayed caller delays
   * others.
   */
  private static final int CALLERS = 100;

  private static final int ROUNDS = 3;
  private static final Duration BEFORE = Duration.ofMillis(200);
  private static final Duration FROZEN = Duration.ofMillis(400);

  /**
   * Less than the delay of the four batches that follow the first one, if the breaker counts only
   * batches.
   */
  private static final long NOTABLY_MILLIS = 40;

  private final RedisServer server = RedisServer.start(RedisVersion.newest());

  @AfterEach
  void close() {
    server.close();
  }

  /** How long the slowest answer took after Redis froze, and how long until it was out. */
  private record Outage(long slowestMillis, long outMillis) {}

  @ParameterizedTest
  @ValueSource(ints = {50, 200, 2_000})
  void whoever_shares_trips_is_answered_and_finds_redis_out_as_soon_as_alone(int perSecond)
      throws Exception {
    List<Outage> alone = new ArrayList<>();
    List<Outage> shared = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      alone.add(outage(false, perSecond));
      shared.add(outage(true, perSecond));
    }

    System.out.printf("Redis frozen at %d/s: alone %s, shared %s%n", perSecond, alone, shared);
    assertThat(median(shared, Outage::outMillis))
        .as("until it was out")
        .isLessThan(median(alone, Outage::outMillis) + NOTABLY_MILLIS);
    assertThat(median(shared, Outage::slowestMillis))
        .as("slowest answer")
        .isLessThan(median(alone, Outage::slowestMillis) + NOTABLY_MILLIS);
  }

  private static long median(List<Outage> outages, ToLongFunction<Outage> figure) {
    return outages.stream().mapToLong(figure).sorted().toArray()[ROUNDS / 2];
  }

  private Outage outage(boolean batching, int perSecond) throws InterruptedException {
    RedisOptions usual = RedisOptions.of(server.uri(), "outage").withDeadline(DEADLINE);
    RedisOptions options = batching ? usual : usual.withoutBatching();
    try (RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE)) {
      Awaitility.await().until(() -> Load.decides(store));
      Load.storm(store, 16, 50, Duration.ofSeconds(1));
      return outage(store, perSecond);
    } finally {
      server.thaw();
    }
  }

  private Outage outage(RedisLimitStore store, int perSecond) throws InterruptedException {
    AtomicLong slowestNanos = new AtomicLong();
    long startNanos = System.nanoTime() + BEFORE.toNanos();
    long freezeNanos = startNanos + BEFORE.toNanos();
    int requests = (int) (perSecond * BEFORE.plus(FROZEN).toMillis() / 1_000);
    List<Thread> callers = new ArrayList<>();
    for (int c = 0; c < CALLERS; c++) {
      int caller = c;
      Thread thread =
          new Thread(
              () -> {
                for (int i = caller; i < requests; i += CALLERS) {
                  long dueNanos = startNanos + (long) (i * 1e9 / perSecond);
                  waitUntil(dueNanos);
                  decide(store);
                  if (dueNanos - freezeNanos > 0) {
                    slowestNanos.accumulateAndGet(System.nanoTime() - dueNanos, Math::max);
                  }
                }
              });
      thread.start();
      callers.add(thread);
    }
    waitUntil(freezeNanos);
    server.freeze();
    long frozenNanos = System.nanoTime();
    while (store.isHealthy() && System.nanoTime() - frozenNanos < FROZEN.toNanos()) {
      LockSupport.parkNanos(200_000);
    }
    long outNanos = System.nanoTime() - frozenNanos;
    for (Thread thread : callers) {
      thread.join();
    }
    return new Outage(
        TimeUnit.NANOSECONDS.toMillis(slowestNanos.get()), TimeUnit.NANOSECONDS.toMillis(outNanos));
  }

  private static void decide(RedisLimitStore store) {
    try {
      store.decide(Load.request(DEADLINE));
    } catch (StoreUnavailableException gone) {
      // answered all the same
    }
  }

  private static void waitUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
