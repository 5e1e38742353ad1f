package dev.weir.redis;

import static dev.weir.Asks.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Asks;
import dev.weir.Charge;
import dev.weir.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Primaries whose clocks differ by more than a calendar's windows. */
class RedisClusterClocksTest {

  private static final int THREADS = 8;
  private static final int DECISIONS = 500;
  private static final int TWO_WINDOWS_AND_MORE = 3;

  private final Recorder heard = new Recorder();
  private final List<SkewedRedis> skewed = new CopyOnWriteArrayList<>();
  private final AtomicInteger decided = new AtomicInteger();

  @Test
  void each_decides_by_its_own_clock_at_the_same_time() throws Exception {
    try (RedisServers cluster =
            RedisServers.cluster(
                RedisVersion.newest(),
                3,
                port -> ahead(port, skewed.size() * TWO_WINDOWS_AND_MORE));
        RedisLimitStore store =
            RedisLimitStore.connect(
                RedisOptions.of(cluster.uri(), "clustered").withDeadline(Duration.ofSeconds(5)),
                heard)) {
      Awaitility.await().until(() -> Load.decides(store));
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Subject subject = ClusterUnderTest.subjectOn(t % 3);
        threads.add(new Thread(() -> decide(store, subject)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(decided).as("and no decision failed").hasValue(THREADS * DECISIONS);
      assertThat(heard.switches).isEmpty();
      assertThat(heard.errors).isEmpty();
    } finally {
      for (SkewedRedis each : skewed) {
        each.close();
      }
    }
  }

  private int ahead(int port, int seconds) {
    SkewedRedis redis = new SkewedRedis(port, seconds);
    skewed.add(redis);
    return redis.port();
  }

  private void decide(RedisLimitStore store, Subject subject) {
    Charge charge = charge("calendar", "100000 per second window UTC", subject, 1);
    for (int i = 0; i < DECISIONS; i++) {
      if (Asks.decide(store, charge).allowed()) {
        decided.incrementAndGet();
      }
    }
  }
}
