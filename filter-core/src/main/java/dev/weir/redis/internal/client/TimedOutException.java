package dev.weir.redis.internal.client;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A server has not replied in time. The reason is unknown: a later attempt may find it. */
public final class TimedOutException extends JedisConnectionException {

  private static final long serialVersionUID = 1L;

  public TimedOutException(String message) {
    super(message);
  }

  TimedOutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
