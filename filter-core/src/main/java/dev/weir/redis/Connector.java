package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.redis.RedisConnection.Login;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** Opens connections as the options say: credentials, database, TLS. */
final class Connector {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Duration patience;
  private final Dialer dialer;
  private final Login data;
  private final Login sentinel;

  Connector(RedisOptions options, SocketTimer timer) {
    RedisUri uri = options.uri();
    patience = options.deadline().compareTo(SHORTEST) > 0 ? options.deadline() : SHORTEST;
    dialer = new Dialer(uri.tls() ? socketFactory(options) : null, timer);
    data = new Login(uri.user(), uri.password(), uri.database());
    sentinel = new Login(uri.user(), uri.password(), 0);
  }

  /** To a server that keeps counters. */
  RedisConnection open(Host host) {
    return open(host, data);
  }

  /** The same, once it has answered: a server that stands still accepts connections too. */
  RedisConnection openAndPing(Host host) {
    RedisConnection connection = open(host);
    try {
      connection.callAll(List.of(new CommandArguments(Command.PING)), patience());
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
  Deadline patience() {
    return Deadline.after(patience);
  }

  /** Asks a server that keeps counters something, on a connection for this alone. */
  <T> T with(Host host, Function<RedisConnection, T> question) {
    return with(host, data, question);
  }

  /** To a sentinel: without credentials, unless it requires them. */
  <T> T withSentinel(Host host, Function<RedisConnection, T> question) {
    try {
      return with(host, Login.NONE, question);
    } catch (JedisDataException e) {
      if (ErrorKind.of(e) != ErrorKind.SETUP) {
        throw e;
      }
      return with(host, sentinel, question);
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

  private static @Nullable SSLSocketFactory socketFactory(RedisOptions options) {
    return options
        .sslContext()
        .map(SSLContext::getSocketFactory)
        .orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
  }
}
