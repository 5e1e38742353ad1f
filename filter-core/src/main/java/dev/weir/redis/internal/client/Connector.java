package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.redis.internal.client.RedisConnection.Login;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** Opens connections as the options say: credentials, database, TLS. */
public final class Connector {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Duration patience;
  private final Dialer dialer;
  private final Login data;

  /**
   * @param deadline of requests; a server for which none waits has a second at least
   * @param data says what a server is told that keeps counters, and a sentinel that requires it
   */
  public Connector(Dialer dialer, Login data, Duration deadline) {
    this.dialer = dialer;
    this.data = data;
    patience = deadline.compareTo(SHORTEST) > 0 ? deadline : SHORTEST;
  }

  /** To a server that keeps counters. */
  RedisConnection open(Host host) {
    return open(host, data);
  }

  /**
   * The same, once it has answered: a server that stands still accepts connections too, and one
   * that has too many says so only then. It need not allow {@code PING}.
   */
  RedisConnection openAndPing(Host host) {
    RedisConnection connection = open(host);
    try {
      @Nullable Object reply =
          connection.callAll(List.of(new CommandArguments(Command.PING)), patience()).get(0);
      if (reply instanceof JedisDataException error && ErrorKind.of(error) != ErrorKind.SETUP) {
        throw error;
      }
      return connection;
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  /** How long a server may take to answer for which no request waits. */
  Duration patienceTime() {
    return patience;
  }

  /** By when a server must answer to which no request waits. */
  public Deadline patience() {
    return Deadline.after(patience);
  }

  /** Asks a server that keeps counters something, on a connection for this alone. */
  public <T> T with(Host host, Function<RedisConnection, T> question) {
    return with(host, data, question);
  }

  /** To a sentinel: without credentials, unless it requires them. */
  public <T> T withSentinel(Host host, Function<RedisConnection, T> question) {
    try {
      return with(host, Login.NONE, question);
    } catch (JedisDataException e) {
      if (ErrorKind.of(e) != ErrorKind.SETUP) {
        throw e;
      }
      return with(host, data.toSentinel(), question);
    }
  }

  private <T> T with(Host host, Login login, Function<RedisConnection, T> question) {
    RedisConnection connection = open(host, login);
    try {
      return question.apply(connection);
    } finally {
      connection.close();
    }
  }

  private RedisConnection open(Host host, Login login) {
    return RedisConnection.open(host, dialer, login, patience());
  }
}
