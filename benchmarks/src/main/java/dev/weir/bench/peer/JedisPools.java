package dev.weir.bench.peer;

import java.net.URI;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * Jedis with usual tuning: so many connections that stay open, and no checks on borrow or return.
 *
 * <p>All are open before the first call. While one is being opened, the pool lets the callers that
 * find none spin. On virtual threads those keep all processors, so that none is ever open.
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
    RedisClient client =
        RedisClient.builder()
            .hostAndPort(JedisURIHelper.getHostAndPort(parsed))
            .clientConfig(
                DefaultJedisClientConfig.builder()
                    .user(JedisURIHelper.getUser(parsed))
                    .password(JedisURIHelper.getPassword(parsed))
                    .database(JedisURIHelper.getDBIndex(parsed))
                    .build())
            .poolConfig(config)
            .build();
    fill(client, size);
    return client;
  }

  private static void fill(RedisClient client, int size) {
    try {
      client.getPool().addObjects(size);
    } catch (Exception e) {
      client.close();
      throw new IllegalStateException("Redis does not accept " + size + " connections", e);
    }
  }
}
