package dev.weir.redis;

import dev.weir.internal.Closing;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.RedisConnection;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.Sharding;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One connection to one server, for tools that inspect what a {@link RedisLimitStore} works with.
 * It sends any command, by the same credentials, certificates and addresses. It is no node, decides
 * nothing and tries nothing again. Used by one thread at a time, and closed by its user.
 *
 * <pre>{@code
 * RedisOptions options = RedisOptions.of("redis://localhost", "shop");
 * try (RedisConsole console = RedisConsole.connect(options, "localhost:6379")) {
 *   System.out.println(console.call("ZCARD", options.nodesKey()));
 * }
 * }</pre>
 */
public final class RedisConsole implements AutoCloseable {

  private static final Duration PAUSE = Duration.ZERO;

  private final String address;
  private final SocketTimer timer;
  private final Connector connector;
  private final RedisConnection connection;

  private RedisConsole(RedisOptions options, Host host) throws StoreUnavailableException {
    this.address = host.toString();
    Reports reports = new Reports(LimiterListener.NONE, options.node());
    this.timer = new SocketTimer("weir-redis-console", LimiterListener.NONE);
    try {
      this.connector = options.connector(timer, reports, Sharding.ofSingleKeys(reports));
      this.connection = connector.open(host);
    } catch (JedisException failed) {
      timer.close();
      throw unavailable(failed);
    } catch (RuntimeException | Error failed) {
      timer.close();
      throw failed;
    }
  }

  /**
   * Connects, and logs in.
   *
   * @param address as {@link RedisStatus.Primary#address} has it
   * @throws IllegalArgumentException when it is no host with its port
   * @throws StoreUnavailableException when there is no connection in time: a second, or three over
   *     TLS, or the deadline of the options if it is longer
   */
  public static RedisConsole connect(RedisOptions options, String address)
      throws StoreUnavailableException {
    RedisConsole console = new RedisConsole(options, RedisUri.host(address, 6_379));
    try {
      Object unused = console.call("CLIENT", "SETNAME", options.connectionName());
    } catch (Refused notPermitted) {
      // it works without a name
    } catch (StoreUnavailableException | RuntimeException | Error failed) {
      console.close();
      throw failed;
    }
    return console;
  }

  /** Returns the address of the server. */
  public String address() {
    return address;
  }

  /**
   * Sends a command, and waits for its reply as long as for a connection.
   *
   * @param command its name and its arguments
   * @return a text, a {@link Long}, a list of these, or null
   * @throws Refused when the server replies an error
   * @throws StoreUnavailableException when there is no reply in time
   */
  public @Nullable Object call(String command, String... arguments)
      throws Refused, StoreUnavailableException {
    CommandArguments call = new CommandArguments(() -> SafeEncoder.encode(command));
    for (String argument : arguments) {
      call.add(argument);
    }
    try {
      @Nullable Object reply = connection.callAll(List.of(call), connector.patience()).get(0);
      if (reply instanceof JedisDataException error) {
        throw new Refused(String.valueOf(error.getMessage()));
      }
      return decoded(reply);
    } catch (JedisException failed) {
      throw unavailable(failed);
    }
  }

  private static @Nullable Object decoded(@Nullable Object reply) {
    if (reply instanceof byte[] text) {
      return SafeEncoder.encode(text);
    }
    return reply instanceof List<?> list
        ? list.stream().map(RedisConsole::decoded).toList()
        : reply;
  }

  private StoreUnavailableException unavailable(JedisException failed) {
    return new StoreUnavailableException(
        "redis " + address + ": " + failed.getMessage(), PAUSE, failed);
  }

  /** Closes the connection. */
  @Override
  public void close() {
    Closing.all(List.<AutoCloseable>of(connection::close, timer));
  }

  /** Thrown when a server replies an error. The message is its reply, such as {@code NOPERM …}. */
  public static final class Refused extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    Refused(String reply) {
      super(reply);
    }
  }
}
