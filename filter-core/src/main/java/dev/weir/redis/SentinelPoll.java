package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.redis.internal.client.Background;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.RedisConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * Asks all sentinels, at the same time, which primary they name. More than half of those that
 * answer must name the same one: a sentinel that was cut off still names the old one.
 *
 * <p>Each is asked one thing at a time, so one that never answers holds one thread. The poll waits
 * for it only while its answer could change the outcome, and no longer than for any server.
 */
final class SentinelPoll {

  private final RedisUri uri;
  private final Connector connector;
  private final Background background;
  private final Set<Host> beingAsked = ConcurrentHashMap.newKeySet();

  SentinelPoll(RedisUri uri, PrimarySettings settings) {
    this.uri = uri;
    connector = settings.connector();
    int threads = uri.hosts().size();
    background = new Background("weir-redis-sentinels", threads, settings.reports().listener());
  }

  /**
   * The primary that most of them name.
   *
   * @throws JedisException when no sentinel answers, or they disagree
   */
  Host named() {
    Deadline due = connector.patience();
    CompletionService<Host> answers = new ExecutorCompletionService<>(background);
    Map<Host, Integer> votes = new HashMap<>();
    JedisException failure = new JedisConnectionException("no sentinel has answered");
    for (int outstanding = ask(answers) - 1; outstanding >= 0; outstanding--) {
      try {
        votes.merge(next(answers, due), 1, Integer::sum);
      } catch (JedisException e) {
        failure = e;
      }
      Optional<Host> winner = majority(votes, outstanding);
      if (winner.isPresent()) {
        return winner.get();
      }
    }
    throw votes.isEmpty() ? failure : new JedisException("the sentinels disagree: " + votes);
  }

  /** Which one more than half name, whatever those say whose answers are outstanding. */
  static Optional<Host> majority(Map<Host, Integer> votes, int outstanding) {
    int all = outstanding + votes.values().stream().mapToInt(Integer::intValue).sum();
    return votes.entrySet().stream()
        .filter(vote -> 2 * vote.getValue() > all)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Asks those that are not being asked; returns how many. */
  private int ask(CompletionService<Host> answers) {
    int asked = 0;
    for (Host sentinel : uri.hosts()) {
      if (beingAsked.add(sentinel)) {
        Future<Host> unused = answers.submit(() -> ask(sentinel));
        asked++;
      }
    }
    return asked;
  }

  private Host ask(Host sentinel) {
    try {
      return connector.withSentinel(sentinel, this::named);
    } finally {
      beingAsked.remove(sentinel);
    }
  }

  private Host named(RedisConnection sentinel) {
    CommandArguments question =
        new CommandArguments(Command.SENTINEL).add("get-master-addr-by-name").add(uri.master());
    Object reply = sentinel.call(question, connector.patience());
    if (reply instanceof List<?> address
        && address.size() == 2
        && address.get(0) instanceof byte[] name
        && address.get(1) instanceof byte[] port) {
      return new Host(SafeEncoder.encode(name), Integer.parseInt(SafeEncoder.encode(port)));
    }
    throw new JedisException("the sentinels know no master '" + uri.master() + "'");
  }

  /** Waits for whoever answers next. */
  private static Host next(CompletionService<Host> answers, Deadline due) {
    try {
      @Nullable Future<Host> answer = answers.poll(due.remainingNanos(), TimeUnit.NANOSECONDS);
      if (answer == null) {
        throw new JedisConnectionException("a sentinel has not answered in time");
      }
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JedisException("interrupted while sentinels were asked", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JedisException failed
          ? failed
          : new JedisException("a sentinel's answer cannot be read", e.getCause());
    }
  }

  void close() {
    background.close();
  }

  /** Waits for the threads to end. */
  void join(long millis) throws InterruptedException {
    background.join(millis);
  }
}
