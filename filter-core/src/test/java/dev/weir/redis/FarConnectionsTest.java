package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Full;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** A Redis whose replies take most of the deadline, even though it is idle. */
@Full
class FarConnectionsTest {

  /** Longer than the usual 100 ms: what is left of it also allows for a busy machine. */
  private static final Duration DEADLINE = Duration.ofMillis(400);

  private static final int DECISIONS = 40;

  /** A spare connection, and a few for waits before a round trip is measured. */
  private static final int HANDFUL = 8;

  private final Recorder heard = new Recorder();

  @ParameterizedTest
  @ValueSource(ints = {20, 55, 70, 85})
  void forty_decisions_open_a_handful_of_connections(int percentOfDeadline) {
    Duration roundTrip = DEADLINE.multipliedBy(percentOfDeadline).dividedBy(100);
    try (FarRedis redis = FarRedis.at(roundTrip);
        RedisLimitStore store =
            RedisLimitStore.connect(
                RedisOptions.of(redis.uri(), "far").withDeadline(DEADLINE), heard);
        Jedis inspector = redis.server().client()) {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Load.decides(store));
      long before = connections(inspector);
      for (int i = 0; i < DECISIONS; i++) {
        Load.once(store, DEADLINE);
      }
      assertThat(connections(inspector) - before).isLessThanOrEqualTo(HANDFUL);
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
