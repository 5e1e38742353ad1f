package dev.weir.redis.internal.client;

import java.io.Serial;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The cause of a failure of a call that was sent: Redis may have run it. */
public final class OutcomeUnknownException extends JedisConnectionException {

  @Serial private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String why) {
    super(why);
  }

  public OutcomeUnknownException(String why, Throwable cause) {
    super(why, cause);
  }

  /**
   * Fills in no stack trace. When Redis becomes unresponsive, all calls in flight get one at once.
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
