package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A Redis whose replies take most of the deadline, even though it is idle. */
@Full
class FarConnectionsTest {

  /** Longer than the usual 100 ms: what is left of it also allows for a busy machine. */
  private static final Duration DEADLINE = Duration.ofMillis(400);

  private static final int DECISIONS = 40;

  /** A spare connection, and a few for waits before a round trip is measured. */
  private static final int HANDFUL = 8;

  private static final List<Integer> PERCENTS_OF_DEADLINE = List.of(20, 55, 70, 85);

  /** All distances at once: their decisions hardly do anything but wait. */
  @Test
  void forty_decisions_open_a_handful_of_connections_at_any_distance() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(PERCENTS_OF_DEADLINE.size());
    List<FarStore> all = new ArrayList<>();
    try {
      PERCENTS_OF_DEADLINE.forEach(percent -> all.add(FarStore.at(percent)));
      all.forEach(FarStore::awaitDecision);
      List<Callable<Long>> decisions =
          all.stream().<Callable<Long>>map(far -> far::opened).toList();
      assertThat(threads.invokeAll(decisions))
          .as("connections at %s %% of the deadline", PERCENTS_OF_DEADLINE)
          .extracting(Future::get)
          .allMatch(opened -> opened <= HANDFUL);
    } finally {
      threads.shutdownNow();
      all.forEach(FarStore::close);
    }
  }

  /** A store, and a Redis whose replies take this part of its deadline. */
  private record FarStore(FarRedis redis, RedisLimitStore store) implements AutoCloseable {

    static FarStore at(int percentOfDeadline) {
      FarRedis redis = FarRedis.at(DEADLINE.multipliedBy(percentOfDeadline).dividedBy(100));
      RedisOptions options = RedisOptions.of(redis.uri(), "far").withDeadline(DEADLINE);
      return new FarStore(redis, RedisLimitStore.connect(options, LimiterListener.NONE));
    }

    void awaitDecision() {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Load.decides(store));
    }

    /** Returns the number of connections that the decisions open. */
    long opened() {
      try (Jedis inspector = redis.server().client()) {
        long before = connections(inspector);
        for (int i = 0; i < DECISIONS; i++) {
          Load.once(store, DEADLINE);
        }
        return connections(inspector) - before;
      }
    }

    @Override
    public void close() {
      store.close();
      redis.close();
    }
  }

  /** Returns the number of connections that the server has accepted. */
  private static long connections(Jedis inspector) {
    return inspector
        .info("stats")
        .lines()
        .filter(line -> line.startsWith("total_connections_received:"))
        .mapToLong(line -> Long.parseLong(line.split(":", -1)[1]))
        .sum();
  }
}
