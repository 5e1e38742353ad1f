package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An application with a full limit leaves Redis to the other applications. */
class RedisNeighbourTest {

  private static final Duration DEADLINE = Duration.ofMillis(250);
  private static final int PERMITS = 1_000;
  private static final int CLIENTS = 50;
  private static final int RETRY_MILLIS = 100;
  private static final int REQUESTS = 1_500;

  /** Each calls ten times a second: 370 requests a second together. */
  private static final int NEIGHBOURS = 37;

  private final AtomicInteger denials = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger decided = new AtomicInteger();

  @Test
  void fifty_clients_that_retry_on_a_full_limit_keep_redis_from_nobody() {
    ScheduledExecutorService clients = Executors.newScheduledThreadPool(CLIENTS);
    ScheduledExecutorService neighbours = Executors.newScheduledThreadPool(NEIGHBOURS);
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        RedisLimitStore full = connect(server, "full");
        RedisLimitStore other = connect(server, "other")) {
      Awaitility.await().until(() -> Load.decides(full) && Load.decides(other));
      Charge held =
          AcquireRequests.charge("exports", PERMITS + " concurrent, ttl 10m", Subject.of("all"), 1);
      assertThat(AcquireRequests.admittedOf(PERMITS + 1, full, held)).isEqualTo(PERMITS);

      for (int i = 0; i < CLIENTS; i++) {
        every(RETRY_MILLIS, i, clients, () -> retry(full, held));
      }
      Awaitility.await().until(() -> denials.get() >= CLIENTS);
      for (int i = 0; i < NEIGHBOURS; i++) {
        every(RETRY_MILLIS, i, neighbours, () -> request(other));
      }
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> requests.get() >= REQUESTS);

      assertThat((double) decided.get() / requests.get())
          .as("decided in Redis, of %s requests", requests)
          .isGreaterThanOrEqualTo(0.99);
      assertThat(other.isHealthy()).isTrue();
    } finally {
      clients.shutdownNow();
      neighbours.shutdownNow();
    }
  }

  private static RedisLimitStore connect(RedisServer server, String application) {
    return RedisLimitStore.connect(
        RedisOptions.of(server.uri(), application).withDeadline(DEADLINE), LimiterListener.NONE);
  }

  private static void every(
      int millis, int offset, ScheduledExecutorService threads, Runnable task) {
    var unused = threads.scheduleAtFixedRate(task, offset % millis, millis, TimeUnit.MILLISECONDS);
  }

  private void retry(LimitStore store, Charge held) {
    try {
      if (!store.decide(AcquireRequests.request(held)).allowed()) {
        denials.incrementAndGet();
      }
    } catch (StoreUnavailableException out) {
      // the next request follows
    }
  }

  private void request(LimitStore store) {
    boolean isDecided = Load.once(store, DEADLINE).decision().isPresent();
    if (isDecided) {
      decided.incrementAndGet();
    }
    requests.incrementAndGet();
  }
}
