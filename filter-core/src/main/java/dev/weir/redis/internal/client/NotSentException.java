package dev.weir.redis.internal.client;

import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The cause of a failure that has changed nothing in Redis: the call was not sent, or Redis refused
 * to run it. There is nothing to refund or to release, and to call again does no harm.
 */
public final class NotSentException extends JedisConnectionException {

  @Serial private static final long serialVersionUID = 1L;

  private final Kind kind;

  public NotSentException(String why, Kind kind) {
    this(why, kind, null);
  }

  public NotSentException(String why, Kind kind, @Nullable Throwable cause) {
    super(why, cause);
    this.kind = kind;
  }

  /**
   * Whether a call of the store that failed so has changed nothing: it was not sent, or Redis has
   * replied an error that it is known to reply instead of writing. A server that cannot write, as
   * one without memory, refuses the first write of a script, so none of it is done.
   */
  public static boolean isCauseOf(StoreUnavailableException failure) {
    return isCause(failure.getCause());
  }

  /** The same of the cause of such a failure. */
  static boolean isCause(@Nullable Throwable cause) {
    return cause instanceof NotSentException
        || (cause instanceof JedisDataException && !ErrorKind.of(cause).mayHaveRun());
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
