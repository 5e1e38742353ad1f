package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.redis.RedisUri.Host;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to Redis. Every wait on it ends by a deadline; cut in a reply, it is never used
 * again.
 */
final class RedisConnection {

  private final Connection jedis;
  private final Watched watched;
  private final Watchdog watchdog;
  private long idleSinceNanos;

  private RedisConnection(Connection jedis, Watched watched, Watchdog watchdog) {
    this.jedis = jedis;
    this.watched = watched;
    this.watchdog = watchdog;
  }

  /**
   * Connects, on a thread that may wait for a name server.
   *
   * @throws JedisException when it could not, in time
   */
  static RedisConnection open(
      Host host,
      @Nullable SSLSocketFactory tls,
      JedisClientConfig config,
      Watchdog watchdog,
      Deadline deadline) {
    Dialer dialer = new Dialer(host, tls, watchdog, deadline);
    try {
      Connection jedis = new Connection(dialer, config);
      Watched watched = dialer.watched();
      if (watched == null || !watched.end(deadline)) {
        throw new JedisConnectionException("not connected in time to " + host);
      }
      return new RedisConnection(jedis, watched, watchdog);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      dialer.abandon();
      throw failure(e);
    }
  }

  /**
   * Sends a command and waits for the reply, until the deadline at most.
   *
   * @throws JedisException when Redis answers an error, or the connection fails or is cut
   */
  Object call(CommandArguments command, Deadline deadline) {
    return within(deadline, () -> jedis.executeCommand(command));
  }

  private <T> T within(Deadline deadline, Supplier<T> wait) {
    if (!watched.begin(deadline)) {
      throw new NothingDone("the connection was cut");
    }
    watchdog.wake();
    try {
      return wait.get();
    } catch (JedisConnectionException e) {
      throw deadline.hasPassed() ? new JedisConnectionException("no answer by the deadline", e) : e;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw failure(e);
    } finally {
      if (!watched.end(deadline)) {
        jedis.setBroken();
      }
    }
  }

  /**
   * Sends commands together, and waits for all replies, until the deadline at most.
   *
   * @return a reply for each, or the error that Redis has answered to it
   * @throws JedisException when the connection fails or is cut
   */
  List<Object> callAll(List<CommandArguments> commands, Deadline deadline) {
    return within(
        deadline,
        () -> {
          commands.forEach(jedis::sendCommand);
          return jedis.getMany(commands.size());
        });
  }

  /**
   * A reply that is none, such as one of negative length, of 2 GiB or nested without end, breaks
   * the parser; what follows on the connection cannot be told apart from it.
   */
  private static JedisException failure(Throwable e) {
    return e instanceof JedisException redis
        ? redis
        : new JedisConnectionException("a malformed reply: " + e, e);
  }

  boolean isUsable() {
    return !jedis.isBroken() && jedis.isConnected();
  }

  /** Closes the socket without a word: whatever is written there waits for nobody. */
  void close() {
    jedis.setBroken();
    watched.cut();
    watchdog.forget(watched);
  }

  void idleSince(long nowNanos) {
    idleSinceNanos = nowNanos;
  }

  long idleSince() {
    return idleSinceNanos;
  }
}
