package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Primaries with clocks that differ by more than a calendar's windows. */
class RedisClusterClocksTest {

  private static final int THREADS = 8;
  private static final int DECISIONS = 500;
  private static final int TWO_WINDOWS_AND_MORE = 3;

  private final Recorder received = new Recorder();
  private final List<SkewedRedis> skewed = new CopyOnWriteArrayList<>();
  private final AtomicInteger names = new AtomicInteger();
  private final AtomicInteger decided = new AtomicInteger();
  private final List<Subject> subjects =
      IntStream.range(0, 3).mapToObj(ClusterUnderTest::subjectOn).toList();

  private final RedisServers cluster =
      RedisServers.cluster(
          RedisVersion.newest(), 3, port -> ahead(port, skewed.size() * TWO_WINDOWS_AND_MORE));

  private final RedisLimitStore store =
      RedisLimitStore.connect(
          RedisOptions.of(cluster.uri(), "clustered").withDeadline(Duration.ofSeconds(5)),
          received);

  @BeforeEach
  void connect() {
    Awaitility.await().until(() -> Load.decides(store));
  }

  @AfterEach
  void stop() throws IOException {
    store.close();
    cluster.close();
    for (SkewedRedis each : skewed) {
      each.close();
    }
  }

  @Test
  void each_decides_by_its_own_clock_which_is_asked_once() {
    int rounds = 100;
    long before = calls();
    for (int i = 0; i < rounds; i++) {
      for (Subject subject : subjects) {
        assertThat(decides(subject)).isTrue();
      }
    }
    int first = subjects.size();
    int heartbeatsAndProbes = 40;
    assertThat(calls() - before)
        .isBetween(
            (long) rounds * subjects.size(),
            (long) rounds * subjects.size() + first + heartbeatsAndProbes);
  }

  private long calls() {
    return cluster.all().stream().mapToLong(server -> server.calls("eval")).sum();
  }

  @Test
  void many_threads_that_ask_all_of_them_are_all_answered() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Subject subject = subjects.get(t % 3);
      threads.add(new Thread(() -> decide(subject)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(decided).as("and no decision failed").hasValue(THREADS * DECISIONS);
    assertThat(received.switches).isEmpty();
    assertThat(received.errors).isEmpty();
  }

  private int ahead(int port, int seconds) {
    SkewedRedis redis = new SkewedRedis(port, seconds);
    skewed.add(redis);
    return redis.port();
  }

  private void decide(Subject subject) {
    for (int i = 0; i < DECISIONS; i++) {
      if (decides(subject)) {
        decided.incrementAndGet();
      }
    }
  }

  /** Decides over a new counter: a window that has begun ends where its state says. */
  private boolean decides(Subject subject) {
    String name = "calendar" + names.incrementAndGet();
    return AcquireRequests.decide(store, charge(name, "1 per second window UTC", subject, 1))
        .allowed();
  }
}
