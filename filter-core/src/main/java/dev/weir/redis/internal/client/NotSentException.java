package dev.weir.redis.internal.client;

import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The cause of a failure that has changed nothing in Redis: the call was not sent, or Redis refused
 * to run it. There is nothing to refund or to release, and another call does no harm.
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
   * Returns whether a failed call of the store has changed nothing. It was not sent, or Redis has
   * replied an error that it is known to reply instead of writing. A server that cannot write, for
   * example without memory, refuses the first write of a script. So none of the script takes
   * effect.
   */
  public static boolean isCauseOf(StoreUnavailableException failure) {
    return isCause(failure.getCause());
  }

  /** Returns the same for the cause of such a failure. */
  static boolean isCause(@Nullable Throwable cause) {
    return cause instanceof NotSentException
        || (cause instanceof JedisDataException && !ErrorKind.of(cause).mayHaveRun());
  }

  Kind kind() {
    return kind;
  }

  /** Fills in no stack trace, because an outage creates one exception for each request. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
