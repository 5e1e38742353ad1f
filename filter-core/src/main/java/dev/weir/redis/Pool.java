package dev.weir.redis;

import dev.weir.Deadline;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections to one primary. Whoever takes one waits on a timer, in order of arrival; a new
 * one is opened by another thread, so that nothing but time can keep the taker.
 */
final class Pool {

  static final int SIZE = 8;

  /** Something between us and Redis may forget a connection that is silent for longer. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int EVERYBODY = 1 << 20;

  private final Semaphore places = new Semaphore(SIZE, true);
  private final Deque<RedisConnection> idle = new ConcurrentLinkedDeque<>();
  private final Queue<CompletableFuture<RedisConnection>> opening = new ConcurrentLinkedQueue<>();
  private final Supplier<RedisConnection> opener;
  private final Executor background;
  private volatile boolean closed;

  Pool(Supplier<RedisConnection> opener, Executor background) {
    this.opener = opener;
    this.background = background;
  }

  /**
   * A connection to call on and to {@link #giveBack}.
   *
   * @throws JedisException when none could be had in time
   * @throws InterruptedException when the thread was interrupted while it waited
   */
  RedisConnection take(Deadline deadline) throws InterruptedException {
    if (!places.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
      throw new JedisConnectionException(
          "all " + SIZE + " connections were busy until the deadline");
    }
    try {
      RedisConnection connection = rested();
      return connection == null ? opened(deadline) : connection;
    } catch (JedisException | InterruptedException e) {
      places.release();
      throw e;
    }
  }

  /** Keeps it for the next taker, or closes it when it is not fit for one. */
  void giveBack(RedisConnection connection) {
    keep(connection);
    places.release();
  }

  /** Takes in a connection that was opened beside the takers. */
  void keep(RedisConnection connection) {
    if (closed || !connection.isUsable() || idle.size() >= SIZE) {
      connection.close();
      return;
    }
    connection.idleSince(System.nanoTime());
    idle.addFirst(connection);
    if (closed) {
      clear();
    }
  }

  /** Closes those at rest: when one has failed the others have too. */
  void clear() {
    for (RedisConnection c = idle.pollFirst(); c != null; c = idle.pollFirst()) {
      c.close();
    }
  }

  /** Answers everybody who waits, and closes those at rest. */
  void close() {
    closed = true;
    places.release(EVERYBODY);
    JedisException why = new JedisConnectionException("the store was closed");
    opening.forEach(future -> future.completeExceptionally(why));
    clear();
  }

  private @Nullable RedisConnection rested() {
    for (RedisConnection c = idle.pollFirst(); c != null; c = idle.pollFirst()) {
      if (c.isUsable() && System.nanoTime() - c.idleSince() < IDLE_NANOS) {
        return c;
      }
      c.close();
    }
    return null;
  }

  private RedisConnection opened(Deadline deadline) throws InterruptedException {
    CompletableFuture<RedisConnection> future = new CompletableFuture<>();
    opening.add(future);
    try {
      if (closed) {
        throw new JedisConnectionException("the store was closed");
      }
      background.execute(() -> open(future));
      return future.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      abandon(future);
      throw new JedisConnectionException("not connected by the deadline", e);
    } catch (InterruptedException e) {
      abandon(future);
      throw e;
    } catch (RejectedExecutionException e) {
      throw new JedisConnectionException("the store was closed", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JedisException failed
          ? failed
          : new JedisConnectionException("not connected", e.getCause());
    } finally {
      opening.removeIf(each -> each == future);
    }
  }

  /** Nobody waits for it any more; if it has just come, others can use it. */
  private void abandon(CompletableFuture<RedisConnection> future) {
    if (!future.cancel(false) && !future.isCompletedExceptionally()) {
      keep(future.join());
    }
  }

  private void open(CompletableFuture<RedisConnection> future) {
    if (future.isDone()) {
      return;
    }
    try {
      RedisConnection connection = opener.get();
      if (!future.complete(connection)) {
        keep(connection);
      }
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
    }
  }
}
