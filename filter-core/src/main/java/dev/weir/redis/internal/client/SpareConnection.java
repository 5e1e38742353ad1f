package dev.weir.redis.internal.client;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection that can replace an unresponsive one, or none. It is kept for a while: a slow Redis
 * makes many waits suspect, and no connection is opened for each of them. Instead, the one that is
 * kept is checked again. Once a wait is suspect, it is not ready until it replies: Redis may have
 * stalled meanwhile. Thread-safe.
 */
final class SpareConnection {

  private static final long KEPT_NANOS = 5_000_000_000L;

  private @Nullable RedisConnection connection;
  private boolean isReady;
  private long sinceNanos;

  /**
   * Keeps this connection, which has just replied, unless one is ready. Returns whether it is kept.
   */
  synchronized boolean keep(RedisConnection replied, long nowNanos) {
    if (isReady) {
      return false;
    }
    close();
    connection = replied;
    isReady = true;
    sinceNanos = nowNanos;
    return true;
  }

  /** Makes the connection not ready, until it has replied again. */
  synchronized void doubt() {
    isReady = false;
  }

  /** Returns the connection if it is ready, else null. It is no longer kept then. */
  synchronized @Nullable RedisConnection takeReady() {
    return isReady ? take() : null;
  }

  /** Returns the connection, which is no longer kept; null if there is none. */
  synchronized @Nullable RedisConnection take() {
    @Nullable RedisConnection taken = connection;
    connection = null;
    isReady = false;
    return taken;
  }

  void close() {
    @Nullable RedisConnection unneeded = take();
    if (unneeded != null) {
      unneeded.close();
    }
  }

  /** Closes the connection if it was not needed for a while. Returns the time to check again. */
  synchronized OptionalLong closeIfOld(long nowNanos) {
    if (connection == null) {
      return OptionalLong.empty();
    }
    long oldNanos = sinceNanos + KEPT_NANOS;
    if (nowNanos - oldNanos < 0) {
      return OptionalLong.of(oldNanos);
    }
    close();
    return OptionalLong.empty();
  }
}
