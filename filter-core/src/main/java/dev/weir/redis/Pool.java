package dev.weir.redis;

import dev.weir.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections to one primary. Whoever takes one waits on a timer, in order of arrival, for what
 * comes first: one given back, or a new one. Those are opened by other threads, so that nothing but
 * time can keep the taker; and all at once, because one after the other would take longer than a
 * decision may.
 */
final class Pool {

  static final int SIZE = 8;

  /** Nobody has a reply, and so no connection comes back: the wait ended before its time. */
  static final class NoHope extends JedisConnectionException {

    private static final long serialVersionUID = 1L;

    NoHope(TimeoutException half) {
      super("no connection was free, and nobody had a reply", half);
    }
  }

  private static final String CLOSED = "closed";

  /** Something between us and Redis may forget a connection that is silent for longer. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Deque<RedisConnection> idle = new ArrayDeque<>();
  private final Queue<CompletableFuture<RedisConnection>> wishes = new ArrayDeque<>();
  private final Set<RedisConnection> taken = new HashSet<>();
  private final Supplier<RedisConnection> opener;
  private final Executor background;

  /** How many connections there are: at rest, taken, or being opened. */
  private int all;

  private boolean closed;

  /**
   * @param opener opens a connection, or throws JedisException
   * @param background runs up to {@link #SIZE} of them at a time
   */
  Pool(Supplier<RedisConnection> opener, Executor background) {
    this.opener = opener;
    this.background = background;
  }

  /**
   * A connection to call on and to {@link #giveBack}. When nobody has had a reply, the taker leaves
   * after half of his time: in a stall threads then leave as fast as they come, instead of all at
   * its end.
   *
   * @param inVain asked after half of the time: whether to wait no more
   * @throws NoHope when it said so
   * @throws JedisException when none could be had in time
   * @throws InterruptedException when the thread was interrupted while it waited
   */
  RedisConnection take(Deadline deadline, BooleanSupplier inVain) throws InterruptedException {
    CompletableFuture<RedisConnection> wish = wish();
    try {
      return granted(wish, deadline, inVain);
    } catch (TimeoutException e) {
      withdraw(wish);
      throw new JedisConnectionException("no connection was free in time", e);
    } catch (InterruptedException | NoHope e) {
      withdraw(wish);
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JedisException failed
          ? failed
          : new JedisConnectionException("not connected", e.getCause());
    }
  }

  private static RedisConnection granted(
      CompletableFuture<RedisConnection> wish, Deadline deadline, BooleanSupplier inVain)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return wish.get(deadline.remainingNanos() / 2, TimeUnit.NANOSECONDS);
    } catch (TimeoutException half) {
      if (inVain.getAsBoolean()) {
        throw new NoHope(half);
      }
      return wish.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Hands it to the next taker, or closes it when it is not fit for one. */
  void giveBack(RedisConnection connection) {
    if (!isKept(connection)) {
      connection.close();
    }
  }

  /** Takes in a connection that was opened beside the takers. */
  void adopt(RedisConnection connection) {
    if (hasRoom()) {
      giveBack(connection);
    } else {
      connection.close();
    }
  }

  /** Opens as many as there may be, before anybody waits for them. */
  synchronized void fill() {
    for (int i = all; i < SIZE; i++) {
      openAnother();
    }
  }

  /** Closes those at rest: when one has failed the others have too. */
  synchronized void clear() {
    all -= idle.size();
    idle.forEach(RedisConnection::close);
    idle.clear();
  }

  /**
   * Ends every call: its reply is not waited for, however patient the caller is. Each connection is
   * given back as one that is not fit for use.
   */
  void cut() {
    allTaken().forEach(RedisConnection::close);
  }

  /** Whether calls are under way on several connections. */
  synchronized boolean isBusy() {
    return taken.size() > 1;
  }

  private synchronized List<RedisConnection> allTaken() {
    return List.copyOf(taken);
  }

  /**
   * Answers everybody who waits: there is nothing to wait for. Whoever wakes does not meet the lock
   * that the others are woken under.
   */
  void dismiss(String why) {
    JedisException gone = new JedisConnectionException(why);
    allWishes().forEach(wish -> wish.completeExceptionally(gone));
  }

  private synchronized List<CompletableFuture<RedisConnection>> allWishes() {
    List<CompletableFuture<RedisConnection>> all = List.copyOf(wishes);
    wishes.clear();
    return all;
  }

  /** Answers everybody who waits, and closes those at rest. */
  void close() {
    synchronized (this) {
      closed = true;
      clear();
    }
    dismiss(CLOSED);
  }

  private synchronized CompletableFuture<RedisConnection> wish() {
    if (closed) {
      return CompletableFuture.failedFuture(new JedisConnectionException(CLOSED));
    }
    @Nullable RedisConnection rested = rested();
    if (rested != null) {
      taken.add(rested);
      return CompletableFuture.completedFuture(rested);
    }
    CompletableFuture<RedisConnection> wish = new CompletableFuture<>();
    wishes.add(wish);
    openAnother();
    return wish;
  }

  private @Nullable RedisConnection rested() {
    for (RedisConnection c = idle.pollFirst(); c != null; c = idle.pollFirst()) {
      if (c.isUsable() && System.nanoTime() - c.idleSince() < IDLE_NANOS) {
        return c;
      }
      all--;
      c.close();
    }
    return null;
  }

  /** Nobody waits for it any more; if it has just come, others can use it. */
  private void withdraw(CompletableFuture<RedisConnection> wish) {
    synchronized (this) {
      wishes.removeIf(each -> each == wish);
    }
    if (!wish.cancel(false) && !wish.isCompletedExceptionally()) {
      giveBack(wish.join());
    }
  }

  private synchronized boolean hasRoom() {
    if (all >= SIZE) {
      return false;
    }
    all++;
    return true;
  }

  private synchronized boolean isKept(RedisConnection connection) {
    taken.remove(connection);
    if (closed) {
      return false;
    }
    if (!connection.isUsable()) {
      replace();
      return false;
    }
    for (CompletableFuture<RedisConnection> w = wishes.poll(); w != null; w = wishes.poll()) {
      if (w.complete(connection)) {
        taken.add(connection);
        return true;
      }
    }
    connection.idleSince(System.nanoTime());
    idle.addFirst(connection);
    return true;
  }

  private void openAnother() {
    if (all >= SIZE) {
      return;
    }
    try {
      background.execute(this::open);
      all++;
    } catch (RejectedExecutionException closing) {
      // close() answers who waits
    }
  }

  private void open() {
    RedisConnection connection;
    try {
      connection = opener.get();
    } catch (RuntimeException | Error e) {
      failed(e);
      return;
    }
    giveBack(connection);
  }

  /** The one who has waited longest hears of it; the others have tries of their own. */
  private synchronized void failed(Throwable why) {
    @Nullable CompletableFuture<RedisConnection> wish = wishes.poll();
    if (wish != null) {
      wish.completeExceptionally(why);
    }
    all--;
    if (!wishes.isEmpty()) {
      openAnother();
    }
  }

  /** A reply that came too late costs its connection, not the next taker's time. */
  private void replace() {
    all--;
    openAnother();
  }
}
