package dev.weir.redis;

import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.TimedOutException;
import dev.weir.store.Deadline;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A poll that sends the same query to several servers at the same time. One thread uses it.
 *
 * <p>Each server has at most one query at a time, so an unresponsive server blocks one thread. It
 * is polled again only after that thread has given up.
 */
final class HostPoll<T> {

  private final Set<Host> beingQueried;
  private final Function<Host, T> query;
  private final CompletionService<T> replies;
  private int outstanding;

  /**
   * @param beingQueried the servers with a query, of all polls; thread-safe
   * @param query queries a server, or throws a {@link JedisException} when it does not reply
   */
  HostPoll(Executor threads, Set<Host> beingQueried, Function<Host, T> query) {
    this.beingQueried = beingQueried;
    this.query = query;
    replies = new ExecutorCompletionService<>(threads);
  }

  /** Polls this server, unless a query to it is still running. */
  void send(Host host) {
    if (beingQueried.add(host)) {
      Future<T> unused =
          replies.submit(
              () -> {
                try {
                  return query.apply(host);
                } finally {
                  beingQueried.remove(host);
                }
              });
      outstanding++;
    }
  }

  /** Returns the number of servers that have not replied yet. */
  int outstanding() {
    return outstanding;
  }

  /**
   * Waits for the next reply.
   *
   * @throws JedisException when that server has failed, or when none has replied by the deadline
   */
  T next(Deadline due) {
    outstanding--;
    try {
      @Nullable Future<T> reply = replies.poll(due.remainingNanos(), TimeUnit.NANOSECONDS);
      if (reply == null) {
        throw new TimedOutException("not answered in time");
      }
      return reply.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JedisException("interrupted while servers were queried", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JedisException failed
          ? failed
          : new JedisException("an answer cannot be read", e.getCause());
    }
  }
}
