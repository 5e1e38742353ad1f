package dev.weir.redis;

import dev.weir.StoreUnavailableException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The cause of a failure that left nothing behind in Redis: the call was not sent, or was sent away
 * without being made. Of every other failure it is unknown whether Redis has charged, and what it
 * may hold is released; of this one there is nothing to release, and an outage would fill the queue
 * with it.
 */
final class NothingDone extends JedisConnectionException {

  @Serial private static final long serialVersionUID = 1L;

  NothingDone(String why) {
    super(why);
  }

  NothingDone(String why, @Nullable Throwable cause) {
    super(why, cause);
  }

  /** An outage makes one for each request, and nobody reads where. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  static boolean isWhy(StoreUnavailableException failure) {
    return failure.getCause() instanceof NothingDone;
  }
}
