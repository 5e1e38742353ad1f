package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.redis.internal.client.RedisConnection.Login;
import dev.weir.redis.internal.script.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A factory of connections by the options: credentials, database, TLS. The connect, the TLS
 * handshake and the login end by a deadline. A name lookup may take longer, so no thread that
 * serves a request opens a connection.
 */
public final class Connector {

  /** The scripts that most requests need. */
  public static final List<Script> PRELOADED =
      List.of(Script.DECIDE_ONE, Script.DECIDE_ALL, Script.BATCH, Script.ADJUST_ONE);

  private static final CommandArguments IDENTIFY = new CommandArguments(Command.INFO).add("server");

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final @Nullable SSLSocketFactory tls;
  private final SocketTimer timer;
  private final Login data;
  private final Duration patience;

  /**
   * @param tls null for connections without TLS
   * @param data the login at a server with counters, and at a sentinel that requires one
   * @param deadline of requests; a server without a waiting request has at least a second
   */
  public Connector(
      @Nullable SSLSocketFactory tls, SocketTimer timer, Login data, Duration deadline) {
    this.tls = tls;
    this.timer = timer;
    this.data = data;
    patience = deadline.compareTo(SHORTEST) > 0 ? deadline : SHORTEST;
  }

  /** Returns the time for a reply when no request waits for it. */
  Duration patienceTime() {
    return patience;
  }

  /** Returns the deadline of a reply when no request waits for it. */
  public Deadline patience() {
    return Deadline.after(patience);
  }

  // ---------------------------------------------------------------- connections

  /**
   * Opens a connection to a server with counters.
   *
   * @throws JedisException when that failed, or took too long
   */
  public RedisConnection open(Host host) {
    return open(host, data);
  }

  /**
   * Opens a connection, and waits for a first reply. A paused server accepts connections too, and a
   * server with too many connections says so only in its reply.
   */
  RedisConnection openAndPing(Host host) {
    return ping(open(host), patience());
  }

  /**
   * Waits until the deadline for a reply on a connection that no call uses, and closes it if there
   * is none. The server need not permit {@code PING}.
   */
  RedisConnection ping(RedisConnection connection, Deadline due) {
    CommandArguments ping = new CommandArguments(Command.PING);
    return connection.after(
        asked -> {
          List<@Nullable Object> replies = asked.callAll(List.of(ping, IDENTIFY), due);
          @Nullable Object reply = replies.get(0);
          asked.identify(replies.get(1));
          if (reply instanceof JedisDataException error && ErrorKind.of(error) != ErrorKind.SETUP) {
            throw error;
          }
        });
  }

  /**
   * Loads the {@link #PRELOADED} scripts into a server, all at once, whatever its distance. This is
   * needed on the first connection after a start, a failover or an outage. Otherwise the first call
   * of each script is sent twice. If a server refuses the load, that is the only cost: an unknown
   * script is sent in full.
   */
  RedisConnection preload(RedisConnection connection) {
    List<CommandArguments> commands =
        Stream.concat(
                Stream.of(IDENTIFY),
                PRELOADED.stream()
                    .map(
                        script ->
                            new CommandArguments(Command.SCRIPT).add("LOAD").add(script.text())))
            .toList();
    return connection.after(server -> server.identify(server.callAll(commands, patience()).get(0)));
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

  // ---------------------------------------------------------------- sockets

  private RedisConnection open(Host host, Login login) {
    Deadline due = patience();
    try {
      return dial(host, due).after(connection -> connection.logIn(login, host, due));
    } catch (IOException e) {
      throw new JedisConnectionException(host + ": " + e, e);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw RedisConnection.failure(e);
    }
  }

  /**
   * Opens a socket, on which the wait for the deadline continues.
   *
   * @throws IOException when no address of the host could be connected to in time
   */
  private RedisConnection dial(Host host, Deadline due) throws IOException {
    IOException failure = new IOException("no address");
    InetAddress[] addresses = InetAddress.getAllByName(host.name());
    for (int i = 0; i < addresses.length; i++) {
      InetSocketAddress address = new InetSocketAddress(addresses[i], host.port());
      // an unresponsive address leaves a share of the time to the next ones
      long leftMillis =
          TimeUnit.NANOSECONDS.toMillis(due.remainingNanos()) / (addresses.length - i);
      Socket raw = new Socket();
      TimedSocket timed = new TimedSocket(raw, timer);
      timed.begin(due);
      try {
        Socket connected = connected(raw, address, Math.max(1, (int) leftMillis), host);
        return new RedisConnection(connected, timed);
      } catch (IOException e) {
        timed.closeNow();
        failure = e;
      } catch (RuntimeException | Error e) {
        timed.closeNow();
        throw e;
      }
    }
    throw failure;
  }

  private Socket connected(Socket raw, InetSocketAddress address, int millis, Host host)
      throws IOException {
    raw.setTcpNoDelay(true);
    raw.setKeepAlive(true);
    raw.setSoLinger(true, 0); // a close drops what is unsent: nothing of ours may run later
    raw.connect(address, millis);
    return tls == null ? raw : secured(raw, tls, host);
  }

  private static Socket secured(Socket raw, SSLSocketFactory factory, Host host)
      throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(raw, host.name(), host.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }
}
