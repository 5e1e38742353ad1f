package dev.weir.redis;

import dev.weir.StoreUnavailableException.Kind;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The cause of a failure that has changed nothing in Redis: the call was not sent, or Redis refused
 * to run it. There is nothing to refund or to release, and to call again does no harm.
 */
final class NotSentException extends JedisConnectionException {

  @Serial private static final long serialVersionUID = 1L;

  private final Kind kind;

  NotSentException(String why, Kind kind) {
    this(why, kind, null);
  }

  NotSentException(String why, Kind kind, @Nullable Throwable cause) {
    super(why, cause);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  /** Has none: an outage makes one for each request. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
