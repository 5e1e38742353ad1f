package dev.weir.redis;

import java.io.Serial;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The cause of a failure of somebody who waited for a trip that somebody else made: nobody knows
 * what has come of it.
 */
final class NoAnswer extends JedisConnectionException {

  @Serial private static final long serialVersionUID = 1L;

  NoAnswer(String why) {
    super(why);
  }

  /** When a server falls silent, everybody who waits has one at once, and nobody reads where. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
