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
 *
 * @param <T> a reply
 */
final class HostPoll<T> {

  private final Set<Host> beingAsked;
  private final Function<Host, T> query;
  private final CompletionService<T> answers;
  private int outstanding;

  /**
   * @param beingAsked the servers with a query, of all polls; thread-safe
   * @param query queries a server, or throws a {@link JedisException} when it does not reply
   */
  HostPoll(Executor threads, Set<Host> beingAsked, Function<Host, T> query) {
    this.beingAsked = beingAsked;
    this.query = query;
    answers = new ExecutorCompletionService<>(threads);
  }

  /** Polls this server, unless a query to it is still running. */
  void ask(Host host) {
    if (beingAsked.add(host)) {
      Future<T> unused = answers.submit(() -> answer(host));
      outstanding++;
    }
  }

  private T answer(Host host) {
    try {
      return query.apply(host);
    } finally {
      beingAsked.remove(host);
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
      @Nullable Future<T> answer = answers.poll(due.remainingNanos(), TimeUnit.NANOSECONDS);
      if (answer == null) {
        throw new TimedOutException("not answered in time");
      }
      return answer.get();
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
