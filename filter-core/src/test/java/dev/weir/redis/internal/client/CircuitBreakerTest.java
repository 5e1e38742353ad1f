package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.redis.RedisLimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What is reported of an outage, and in which order. */
class CircuitBreakerTest {

  private static final int THREADS = 4;

  private final List<Source> switches = new CopyOnWriteArrayList<>();
  private final LimiterListener listener =
      new LimiterListener() {
        @Override
        public void onStoreSwitched(Source now, String why) {
          switches.add(now);
        }
      };

  private final LogCapture log = new LogCapture(RedisLimitStore.class);
  private final Reports reports = new Reports(listener);
  private final Background background = new Background("weir-redis-test", THREADS, listener);

  /** Whether probes succeed. */
  private final AtomicBoolean writes = new AtomicBoolean(true);

  /** The waiting calls fail when a test completes this. */
  private final CompletableFuture<Boolean> mayFail = new CompletableFuture<>();

  private final CircuitBreaker breaker =
      new CircuitBreaker(new Host("cache", 6379), background, reports, () -> {});

  @BeforeEach
  void start() {
    breaker.start(
        new CircuitBreaker.Actions() {
          @Override
          public boolean probe() {
            return writes.get();
          }

          @Override
          public void write() {}

          @Override
          public void failWaiting() {
            mayFail.join();
          }
        });
  }

  @AfterEach
  void close() {
    mayFail.complete(true);
    breaker.close();
    background.close();
    reports.close();
    log.close();
  }

  @Test
  void an_outage_begins_is_explained_and_ends_in_this_order_however_long_calls_take_to_fail() {
    breaker.open(new TimedOutException("no reply"));
    breaker.open(new JedisConnectionException("refused"));
    Awaitility.await().until(breaker::isHealthy);
    mayFail.complete(true);

    Awaitility.await().untilAsserted(() -> assertThat(log.records()).hasSize(3));
    assertThat(log.text())
        .containsSubsequence("is out: no reply", "is still out: refused", "decides again after");
    Awaitility.await()
        .untilAsserted(() -> assertThat(switches).containsExactly(Source.LOCAL, Source.REDIS));
  }

  @Test
  void an_outage_counts_the_decisions_without_it_since_it_last_decided() {
    mayFail.complete(true);
    breaker.decidedWithout();
    breaker.replied(null);
    times(3, breaker::decidedWithout);
    writes.set(false);
    breaker.open(new TimedOutException("no reply"));
    times(2, breaker::decidedWithout);
    writes.set(true);

    Awaitility.await().until(() -> log.text().contains("decides again after"));
    assertThat(log.text()).contains("; 5 requests were decided without it");

    breaker.open(new TimedOutException("no reply"));
    Awaitility.await().until(() -> log.records().size() == 4);
    assertThat(log.text()).endsWith("; 0 requests were decided without it]");
  }

  private static void times(int times, Runnable task) {
    for (int i = 0; i < times; i++) {
      task.run();
    }
  }
}
