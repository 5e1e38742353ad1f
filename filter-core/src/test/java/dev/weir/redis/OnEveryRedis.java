package dev.weir.redis;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** Tests on every available Redis, which they share, each with a client to inspect it. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
abstract class OnEveryRedis {

  @Parameter RedisVersion version = RedisVersion.embedded();

  @SuppressWarnings("NullAway.Init") // found before each test
  RedisServer server;

  @SuppressWarnings("NullAway.Init") // connected before each test
  Jedis redis;

  @BeforeEach
  void connectClient() {
    server = RedisServer.shared(version);
    redis = server.client();
  }

  @AfterEach
  void disconnectClient() {
    redis.close();
  }
}
