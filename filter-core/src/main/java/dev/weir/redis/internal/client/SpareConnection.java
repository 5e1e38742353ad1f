package dev.weir.redis.internal.client;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is ready to replace an unresponsive one, or none. It has answered during the
 * current wait. It is kept for a while: a slow Redis makes many waits suspect, and is then asked
 * again on this connection instead of a new one. Thread-safe.
 */
final class SpareConnection {

  private static final long KEPT_NANOS = 5_000_000_000L;

  private @Nullable RedisConnection connection;
  private long sinceNanos;

  /** Keeps this connection, unless there is one. Returns whether it is kept. */
  synchronized boolean keep(RedisConnection ready, long nowNanos) {
    if (connection != null) {
      return false;
    }
    connection = ready;
    sinceNanos = nowNanos;
    return true;
  }

  /** Returns the connection, which is no longer kept here; null if there is none. */
  synchronized @Nullable RedisConnection take() {
    @Nullable RedisConnection taken = connection;
    connection = null;
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
