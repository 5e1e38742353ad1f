package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.redis.internal.client.Sharding.Scope;
import dev.weir.redis.internal.client.Sharding.Trial;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/** A Redis that loses keys is no proxy in front of several servers: one call may have any keys. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class LostKeysTest {

  private static final Duration AMPLE = Duration.ofSeconds(20);

  /** Of one connection in thirty, a key is evicted that its next call reads. */
  private static final int CONNECTIONS = 300;

  private static final int BYTES_FOR_KEYS = 150_000;
  private static final int WRITTEN_AT_ONCE = 200;

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);
  private final Reports reports = new Reports(LimiterListener.NONE);
  private final Sharding sharding =
      new Sharding(Optional.of(new RedisKeys("shop", Optional.empty())), reports);
  private final Connector connector =
      new Connector(
          Access.plain(RedisConnection.Login.NONE), "weir-test", timer, AMPLE, reports, sharding);

  @AfterEach
  void close() {
    timer.close();
    reports.close();
  }

  @Test
  void one_that_evicts_keys() throws Exception {
    try (RedisServer server = RedisServer.start(version, "--maxmemory-policy", "allkeys-random")) {
      connect(server);
      limitMemory(server);
      AtomicBoolean isOver = new AtomicBoolean();
      Thread other = new Thread(() -> fill(server, isOver));
      other.start();
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          connect(server);
        }
      } finally {
        isOver.set(true);
        other.join();
      }
      assertThat(sharding.scope()).isEqualTo(Scope.ALL_KEYS);
    }
  }

  @Test
  void one_whose_keys_others_delete() {
    try (RedisServer server = RedisServer.start(version);
        Jedis other = server.client()) {
      RedisConnection connection = connector.open(host(server));
      Trial trial = sharding.trial();
      connection.callAll(trial.writes(), Deadline.after(AMPLE));
      other.flushAll();
      List<@Nullable Object> alone = connection.callAll(trial.alone(), Deadline.after(AMPLE));
      List<@Nullable Object> byFirst = connection.callAll(trial.byFirst(), Deadline.after(AMPLE));
      connection.close();

      assertThat(alone).containsOnly(0L);
      assertThat(Trial.scope(alone, byFirst)).isEqualTo(Scope.ALL_KEYS);
    }
  }

  private void connect(RedisServer server) {
    connector.openFurther(host(server)).close();
  }

  private static Host host(RedisServer server) {
    return new Host("127.0.0.1", server.port());
  }

  /** Leaves room for some hundred keys. */
  private static void limitMemory(RedisServer server) {
    try (Jedis redis = server.client()) {
      long used =
          redis
              .info("memory")
              .lines()
              .filter(line -> line.startsWith("used_memory:"))
              .mapToLong(line -> Long.parseLong(line.split(":", -1)[1]))
              .sum();
      redis.configSet("maxmemory", Long.toString(used + BYTES_FOR_KEYS));
    }
  }

  /** Another application keeps the memory full. */
  private static void fill(RedisServer server, AtomicBoolean isOver) {
    try (Jedis redis = server.client()) {
      while (!isOver.get()) {
        try (Pipeline pipeline = redis.pipelined()) {
          for (int i = 0; i < WRITTEN_AT_ONCE; i++) {
            pipeline.set(Long.toHexString(ThreadLocalRandom.current().nextLong()), "of another");
          }
        }
      }
    }
  }
}
