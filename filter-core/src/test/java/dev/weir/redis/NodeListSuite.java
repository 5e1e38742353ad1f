package dev.weir.redis;

import dev.weir.fixture.SideBySide;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.RestoreParams;

/** Tests of the list of live nodes, each on a Redis of its own. */
@SideBySide
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
abstract class NodeListSuite {

  static final String KEY = "beating:{nodes}:weir";

  @Parameter RedisVersion version = RedisVersion.embedded();

  @SuppressWarnings("NullAway.Init") // started before each test
  RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start(version);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  static void awaitNodes(RedisLimitStore store, int nodes) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> Load.decides(store) && store.status().liveNodes() == nodes);
  }

  static void beat(Jedis redis, String node, double micros) {
    redis.zadd(KEY, micros, node);
  }

  /** Returns the time so many seconds from now, in microseconds of the server's clock. */
  static double seconds(Jedis redis, long more) {
    return (Long.parseLong(redis.time().get(0)) + more) * 1e6;
  }

  static void restore(Jedis redis, String key, byte[] snapshot) {
    redis.restore(key, 15_000, snapshot, RestoreParams.restoreParams().replace());
  }

  RedisLimitStore connect() {
    return RedisLimitStore.connect(options(), LimiterListener.NONE);
  }

  RedisLimitStore connect(String node) {
    return RedisLimitStore.connect(options().withNode(node), LimiterListener.NONE);
  }

  RedisOptions options() {
    return RedisOptions.of(server.uri(), "beating").withDeadline(Duration.ofMillis(500));
  }
}
