package dev.weir.redis;

import dev.weir.Deadline;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Tries whether a primary can write, on a connection of its own: a PING is answered while writes
 * fail.
 *
 * @param opener opens a connection, or throws JedisException
 * @param pool takes in the connections that were good
 * @param deadline how long the write may take
 * @param script a call that writes on this primary; null while there is none
 */
record Prober(
    Supplier<RedisConnection> opener,
    Pool pool,
    Duration deadline,
    Supplier<@Nullable ScriptCall> script) {

  /**
   * Opens the first connection, and tells the server the scripts.
   *
   * @throws JedisException when it failed
   */
  void connect() {
    RedisConnection first = opener.get();
    Preload.on(first, Deadline.after(deadline));
    pool.adopt(first);
  }

  /**
   * Does what requests would do; returns false when there is nothing to do. Who was away may have
   * forgotten the scripts: where it can write, it is told them again.
   *
   * @throws JedisException when it failed
   */
  boolean wrote() {
    RedisConnection connection = opener.get();
    try {
      @Nullable ScriptCall call = script.get();
      if (call != null) {
        call.on(connection, Deadline.after(deadline));
        Preload.on(connection, Deadline.after(deadline));
      }
      pool.adopt(connection);
      return call != null;
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }
}
