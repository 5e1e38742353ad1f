package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.LimiterListener;
import dev.weir.redis.internal.client.Background;
import dev.weir.redis.internal.client.Host;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A poll that sends the same query to several servers at the same time, on threads of its own.
 *
 * <p>Each server has at most one query at a time, so an unresponsive server blocks one thread. It
 * is polled again only after that thread has given up.
 *
 * @param <T> a reply
 */
abstract class HostPoll<T> {

  private final Background background;
  private final Set<Host> beingAsked = ConcurrentHashMap.newKeySet();

  /**
   * @param name of the threads
   * @param threads the number of servers that are polled at the same time
   */
  HostPoll(String name, int threads, LimiterListener listener) {
    background = new Background(name, threads, listener);
  }

  /**
   * Queries this server, on a thread of the poll.
   *
   * @throws JedisException when it does not reply
   */
  abstract T query(Host host);

  /** Starts a round. */
  final Round round() {
    return new Round();
  }

  final void close() {
    background.close();
  }

  /** Waits for the threads to end. */
  final void join(long millis) throws InterruptedException {
    background.join(millis);
  }

  /** The servers that are polled at one time. One thread uses it. */
  final class Round {

    private final CompletionService<T> answers = new ExecutorCompletionService<>(background);
    private int outstanding;

    /** Polls this server, unless a query to it is still running. */
    void ask(Host host) {
      if (beingAsked.add(host)) {
        Future<T> unused = answers.submit(() -> answer(host));
        outstanding++;
      }
    }

    private T answer(Host host) {
      try {
        return query(host);
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
          throw new JedisConnectionException("not answered in time");
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
}
