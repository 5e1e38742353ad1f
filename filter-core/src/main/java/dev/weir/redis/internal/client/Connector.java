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

/** A factory of connections by the options: credentials, database, TLS. */
public final class Connector {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Duration patience;
  private final Dialer dialer;
  private final Login data;

  /**
   * @param deadline of requests; a server without a waiting request has at least a second
   * @param data the login at a server with counters, and at a sentinel that requires one
   */
  public Connector(Dialer dialer, Login data, Duration deadline) {
    this.dialer = dialer;
    this.data = data;
    patience = deadline.compareTo(SHORTEST) > 0 ? deadline : SHORTEST;
  }

  /** Opens a connection to a server with counters. */
  RedisConnection open(Host host) {
    return open(host, data);
  }

  /**
   * Opens a connection, and waits for a first reply. A paused server accepts connections too, and a
   * server with too many connections says so only in its reply. The server need not permit {@code
   * PING}.
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

  /** Returns the time for a reply when no request waits for it. */
  Duration patienceTime() {
    return patience;
  }

  /** Returns the deadline of a reply when no request waits for it. */
  public Deadline patience() {
    return Deadline.after(patience);
  }

  /** Queries a server with counters, on a connection for this query alone. */
  public <T> T with(Host host, Function<RedisConnection, T> question) {
    return with(host, data, question);
  }

  /** Queries a sentinel, without credentials unless it requires them. */
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
