package dev.weir.cli;

import dev.weir.config.Weir;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.redis.RedisServer;

/** An application that limits by Redis, as a node. */
final class Shop {

  static final String SECRET = "0123456789abcdef-of-a-test";

  private Shop() {}

  /** Its configuration. */
  static String yaml(RedisServer redis) {
    return """
    application: shop
    redis: { uri: "%s", secret: %s }
    nodes: 1
    limits:
      login: 5 per hour
      api: 20 per hour, burst 40
      daily: 1000 per day window UTC
    rules:
      - { name: address, match: /**, subject: ip, limits: [100 per hour] }
      - { name: login, match: POST /login, subject: ip, limits: [login] }
      - { name: api, match: /api/**, subject: header:X-API-Key, limits: [api, daily] }
    """
        .formatted(redis.uri(), SECRET);
  }

  /** Starts a node of this configuration, for which a busy machine has time to decide by Redis. */
  static Weir node(String yaml) {
    return Weir.of(yaml.replace("redis: { uri: ", "redis: { deadline: 5s, uri: "));
  }

  static FakeRequest request(String key) {
    return FakeRequest.get("/api/orders").from("203.0.113.7").header("X-API-Key", key);
  }

  static boolean passes(Weir node, FakeRequest request) {
    return node.limiter().limit(request) instanceof Outcome.Passed;
  }
}
