package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisDataException;

/** Opens connections as the options say: credentials, database, TLS. */
final class Connector {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Watchdog watchdog;
  private final Duration patience;
  private final JedisClientConfig data;
  private final JedisClientConfig anonymous;
  private final JedisClientConfig sentinel;
  private final @Nullable SSLSocketFactory tls;

  Connector(RedisOptions options, Watchdog watchdog) {
    RedisUri uri = options.uri();
    this.watchdog = watchdog;
    this.patience = options.deadline().compareTo(SHORTEST) > 0 ? options.deadline() : SHORTEST;
    this.data = config().user(uri.user()).password(uri.password()).database(uri.database()).build();
    this.sentinel = config().user(uri.user()).password(uri.password()).build();
    this.anonymous = config().build();
    this.tls = uri.tls() ? socketFactory(options) : null;
  }

  /** To a server that keeps counters. */
  RedisConnection open(Host host) {
    return open(host, data);
  }

  /** By when a server that is asked beside the requests must have answered. */
  Deadline patience() {
    return Deadline.after(patience);
  }

  /** Asks a server that keeps counters something, on a connection for this alone. */
  <T> T with(Host host, Function<RedisConnection, T> question) {
    return ask(() -> open(host), question);
  }

  /** To a sentinel: without credentials, unless it wants them. */
  <T> T withSentinel(Host host, Function<RedisConnection, T> question) {
    try {
      return ask(() -> open(host, anonymous), question);
    } catch (JedisDataException e) {
      if (ErrorKind.of(e) != ErrorKind.SETUP) {
        throw e;
      }
      return ask(() -> open(host, sentinel), question);
    }
  }

  private static <T> T ask(
      Supplier<RedisConnection> opener, Function<RedisConnection, T> question) {
    RedisConnection connection = opener.get();
    try {
      return question.apply(connection);
    } finally {
      connection.close();
    }
  }

  private RedisConnection open(Host host, JedisClientConfig config) {
    return RedisConnection.open(host, tls, config, watchdog, Deadline.after(patience));
  }

  /**
   * The protocol that every server speaks without being asked, and no command beyond what the
   * credentials and the database need. Jedis's own time-outs are off: the watchdog bounds every
   * wait, and does so as a whole.
   */
  private static DefaultJedisClientConfig.Builder config() {
    return DefaultJedisClientConfig.builder()
        .serverDefaultProtocol()
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
        .socketTimeoutMillis(0);
  }

  private static SSLSocketFactory socketFactory(RedisOptions options) {
    return options
        .sslContext()
        .map(SSLContext::getSocketFactory)
        .orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
  }
}
