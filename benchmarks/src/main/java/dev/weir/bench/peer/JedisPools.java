package dev.weir.bench.peer;

import java.net.URI;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * Jedis with usual tuning: so many connections that stay open, and no checks on borrow or return.
 */
final class JedisPools {

  private JedisPools() {}

  static RedisClient open(String uri, int size) {
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(size);
    config.setMaxIdle(size);
    config.setMinIdle(size);
    config.setTestOnBorrow(false);
    config.setTestOnReturn(false);
    config.setTestWhileIdle(false);
    config.setJmxEnabled(false);
    URI parsed = URI.create(uri);
    return RedisClient.builder()
        .hostAndPort(JedisURIHelper.getHostAndPort(parsed))
        .clientConfig(
            DefaultJedisClientConfig.builder()
                .user(JedisURIHelper.getUser(parsed))
                .password(JedisURIHelper.getPassword(parsed))
                .database(JedisURIHelper.getDBIndex(parsed))
                .build())
        .poolConfig(config)
        .build();
  }
}
